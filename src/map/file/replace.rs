//! Writing a file whole or not at all.
//!
//! Owns the detour over a file beside the target. Promises: the target is never half-written, whatever ends
//! the process; where writing fails, the file beside it is removed; links, pipes and devices stay what they are. Must
//! not know what is written.

use std::fs::{File, OpenOptions, remove_file, rename};
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Names tried beside the target before giving up.
const ATTEMPTS: u32 = 1_000;

/// Puts `bytes` at `path`, in place of the file that is there.
///
/// # Errors
/// Where the file, or one beside it, can't be written; what was there is still there then.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    // Through a link what it leads to is replaced. What is not there yet has no other name.
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    // A pipe or a device takes bytes one by one: there is nothing to keep whole.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
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

    #[cfg(unix)]
    #[test]
    fn a_link_leads_to_the_new_file_and_a_device_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("room.pvs"), folder.path().join("latest.pvs"));
        write(&path, b"first").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&link, b"second").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        // A socket stands for all that is no file: it can't be opened for writing, and must still be there.
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert!(write(&socket, b"bytes").is_err());
        assert!(!std::fs::metadata(&socket).unwrap().is_file());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
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
