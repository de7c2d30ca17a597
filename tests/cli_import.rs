//! `fogwall import`, as a map maker meets it.
#![cfg(feature = "cli")]

use assert_cmd::Command;

/// A room of 8 x 8 m with a wall of 5 mm, which is warned of.
const ROOM: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" renderorder="right-down" width="8" height="8" tilewidth="16" tileheight="16">
 <objectgroup id="1" name="things">
  <object id="1" type="floor" x="0" y="0" width="128" height="128"/>
  <object id="2" name="wall" type="solid" x="64" y="0" width="32" height="32"/>
  <object id="3" name="slit" type="solid" x="96.16" y="0" width="31" height="32"/>
  <object id="4" name="gate" class="dor" x="0" y="0" width="16" height="16"/>
  <object id="5" type="spawn" x="8" y="120"><point/></object>
 </objectgroup>
</map>
"#;

fn import(args: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("room.tmx"), ROOM).unwrap();
    let mut command = Command::cargo_bin("fogwall").unwrap();
    let assert = command.current_dir(&folder).args(["import", "room.tmx"]).args(args).assert().success();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&assert.get_output().stdout), text(&assert.get_output().stderr))
}

#[test]
fn counts_of_one_are_singular_and_warnings_are_shown_by_a_command_that_can_be_run() {
    let (out, err) = import(&["-o", "room.ron"]);
    assert_eq!(out, "");
    assert!(err.contains("room.ron: 2 solids, 0 doors, 1 floor, 0 areas, 1 spawn\n"), "{err}");
    assert!(err.contains("1 warning: `fogwall check room.ron` shows it"), "{err}");
}

#[test]
fn on_standard_output_there_is_no_file_to_check_yet() {
    let (out, err) = import(&[]);
    assert!(out.contains("id: \"wall\""), "{out}");
    assert!(err.contains("1 warning: save the map and run `fogwall check` on it"), "{err}");
    assert!(err.contains("note: object 4 \"gate\" of layer \"things\" has class \"dor\""), "{err}");
}
