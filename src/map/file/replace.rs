//! Writing a file whole or not at all.
//!
//! Owns the detour over a file beside the target. Promises: the target is never half-written, whatever ends
//! the process; where writing fails, the file beside it is removed. Must not know what is written.

use std::fs::{File, OpenOptions, remove_file, rename};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Names tried beside the target before giving up.
const ATTEMPTS: u32 = 1_000;

/// Puts `bytes` at `path`, in place of what is there.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let (beside, mut file) = create_beside(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| {
        drop(file);
        rename(&beside, path)
    });
    if written.is_err() {
        // The first failure is the one to report; what is left can't be helped.
        let _ = remove_file(&beside);
    }
    written
}

fn create_beside(path: &Path) -> Result<(PathBuf, File), Error> {
    let name =
        path.file_name().ok_or_else(|| Error::new(ErrorKind::InvalidInput, "not the name of a file"))?;
    for attempt in 0..ATTEMPTS {
        let mut beside = std::ffi::OsString::from(".");
        beside.push(name);
        beside.push(format!(".{}-{attempt}.part", std::process::id()));
        let beside = path.with_file_name(beside);
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (beside, file)),
        }
    }
    Err(Error::new(ErrorKind::AlreadyExists, "too many unfinished files beside it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_stays_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("room.pvs");
        write(&path, b"first").unwrap();
        write(&path, b"second").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failure_leaves_the_target_and_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        std::fs::create_dir(&path).unwrap();
        assert!(write(&path, b"bytes").is_err());
        assert!(write(&folder.path().join("nowhere/room.pvs"), b"bytes").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
