//! `fogwall query`: rows in, rows with answers out.

mod standin;

use assert_cmd::Command;
use std::path::PathBuf;
use tempfile::TempDir;

fn files() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (source, baked) = (folder.path().join("two_rooms.ron"), folder.path().join("two_rooms.pvs"));
    let text = standin::source(4.0);
    std::fs::write(&source, &text).unwrap();
    standin::bake(&text).save(&baked).unwrap();
    (folder, source, baked)
}

fn query(subject: &PathBuf, input: &str) -> std::process::Output {
    let mut command = Command::cargo_bin("fogwall").unwrap();
    command.arg("query").arg(subject).write_stdin(input).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_bake_answers_and_passes_other_columns_through() {
    let (_folder, _, baked) = files();
    let input = "note,ex,ey,ez,tx,ty,tz\n\
        through the wall,1.0,1.0,1.7,5.0,2.5,1.0\n\
        same room,1.0,1.0,1.7,2.0,3.0,1.0\n\
        \"off the cells, behind the wall\",1.0,1.0,1.7,5.0,2.5,90.0\n\
        eye in the wall,3.0,1.0,1.7,5.0,2.5,1.0\n";
    let output = query(&baked, input);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stdout),
        "note,ex,ey,ez,tx,ty,tz,may_see,sighted,possible\n\
        through the wall,1.0,1.0,1.7,5.0,2.5,1.0,0,0,0\n\
        same room,1.0,1.0,1.7,2.0,3.0,1.0,1,1,1\n\
        \"off the cells, behind the wall\",1.0,1.0,1.7,5.0,2.5,90.0,1,1,1\n\
        eye in the wall,3.0,1.0,1.7,5.0,2.5,1.0,1,1,1\n"
    );
}

#[test]
fn a_map_source_has_no_baked_answer() {
    let (_folder, source, _) = files();
    let output = query(&source, "tx,ty,tz,ex,ey,ez\n5.0,2.5,1.0,1.0,1.0,1.7\n");
    assert_eq!(
        text(&output.stdout),
        "tx,ty,tz,ex,ey,ez,may_see,sighted,possible\n5.0,2.5,1.0,1.0,1.0,1.7,,0,0\n"
    );
}

#[test]
fn a_reach_past_the_wall_makes_sight_possible() {
    let (_folder, source, _) = files();
    let row = |reach: &str| format!("1.0,3.5,1.7,5.0,3.5,1.0,{reach}\n");
    let input = format!("ex,ey,ez,tx,ty,tz,er,tr\n{}{}{}", row("0,0"), row("0.1,0.1"), row("1.5,1.5"));
    let output = query(&source, &input);
    let output = text(&output.stdout);
    let ends: Vec<&str> = output.lines().skip(1).map(|line| &line[line.len() - 4..]).collect();
    assert_eq!(ends, [",0,0", ",0,0", ",0,1"]);
}

#[test]
fn witnesses_are_free_segments_and_missing_for_what_is_hidden() {
    let (_folder, source, baked) = files();
    let input = "ex,ey,ez,tx,ty,tz\n1.0,1.0,1.7,2.0,3.0,1.0\n1.0,1.0,1.7,5.0,2.5,1.0\n";
    let mut command = Command::cargo_bin("fogwall").unwrap();
    let output = command.arg("query").arg(&baked).arg("--witness").write_stdin(input).output().unwrap();
    let lines = text(&output.stdout);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[0], "ex,ey,ez,tx,ty,tz,may_see,sighted,possible,wex,wey,wez,wtx,wty,wtz");
    assert_eq!(lines[2], "1.0,1.0,1.7,5.0,2.5,1.0,0,0,0,,,,,,");
    let witness: Vec<f64> = lines[1].split(',').skip(9).map(|field| field.parse().unwrap()).collect();
    let again = witness.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    let output = query(&source, &format!("ex,ey,ez,tx,ty,tz\n{again}\n"));
    assert!(text(&output.stdout).ends_with(",,1,1\n"), "{}", text(&output.stdout));
    let mut command = Command::cargo_bin("fogwall").unwrap();
    let output = command.arg("query").arg(&source).arg("--witness").write_stdin(input).output().unwrap();
    assert!(text(&output.stderr).contains("needs a baked file"), "{}", text(&output.stderr));
}

#[test]
fn a_bad_row_is_named_and_the_rows_before_it_are_written() {
    let (folder, _, baked) = files();
    let pairs = folder.path().join("pairs.csv");
    std::fs::write(&pairs, "ex,ey,ez,tx,ty,tz\n1,1,1.7,2,3,1\n1,1,1.7,2,oops,1\n1,1,1.7,2,3,1\n").unwrap();
    let output =
        Command::cargo_bin("fogwall").unwrap().arg("query").arg(&baked).arg(&pairs).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout).lines().count(), 2);
    let message = text(&output.stderr);
    assert!(message.contains("pairs.csv:3: ty: \"oops\" is not a number"), "{message}");
}

#[test]
fn a_coordinate_farther_out_than_a_map_can_be_is_an_error() {
    let (_folder, _, baked) = files();
    let output = query(&baked, "ex,ey,ez,tx,ty,tz\n1e308,0,1,-1e308,2,1\n");
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.contains("standard input:2: ex: 1e308 is not within 100 km of 0"), "{message}");
}

#[test]
fn an_empty_reach_is_none() {
    let (_folder, source, _) = files();
    let ask =
        |reach: &str| query(&source, &format!("ex,ey,ez,tx,ty,tz,er,tr\n1.0,3.5,1.7,5.0,3.5,1.0,{reach}\n"));
    for (reach, answer) in [(",", ",,0,0\n"), ("1.5,", ",,0,1\n")] {
        let output = ask(reach);
        assert!(text(&output.stdout).ends_with(answer), "{} {}", text(&output.stdout), text(&output.stderr));
    }
}

#[test]
fn a_row_of_another_width_is_an_error() {
    let (_folder, _, baked) = files();
    let output = query(&baked, "ex,ey,ez,tx,ty,tz\n1,1,1.7,2,3,1\n1,1,1.7\n");
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.contains("standard input:3: the row has 3 fields, the header 6"), "{message}");
    assert_eq!(text(&output.stdout).lines().count(), 2);
}

#[test]
fn many_rows_keep_their_order() {
    let (_folder, _, baked) = files();
    let mut input = String::from("row,ex,ey,ez,tx,ty,tz\n");
    for row in 0..100_000 {
        let x = 0.5 + f64::from(row % 50) / 10.0;
        input += &format!("{row},{x},1.5,1.7,{},2.5,1.0\n", 6.0 - x);
    }
    let output = query(&baked, &input);
    assert!(output.status.success());
    let output = text(&output.stdout);
    let rows = output.lines().skip(1).map(|line| line.split(',').next().unwrap().parse::<usize>().unwrap());
    assert!(rows.eq(0..100_000));
}

#[test]
fn a_damaged_bake_and_a_missing_column_are_clear_errors() {
    let (_folder, _, baked) = files();
    let output = query(&baked, "ex,ey,ez,tx,ty\n");
    assert!(text(&output.stderr).contains("standard input: the header lacks tz"), "{}", text(&output.stderr));
    let mut bytes = std::fs::read(&baked).unwrap();
    bytes[300] ^= 1;
    std::fs::write(&baked, bytes).unwrap();
    let output = query(&baked, "ex,ey,ez,tx,ty,tz\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("two_rooms.pvs: damaged"), "{}", text(&output.stderr));
}
