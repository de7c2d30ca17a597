//! The command line: one file a command.
//!
//! Owns the list of commands, their dispatch, and how a failure ends the process.
//! Promises: exit 0 done, 1 failed (message on standard error), 2 wrong usage; a closed pipe ends quietly.
//! Must not know what the commands compute.

mod audit;
mod bake;
mod check;
mod demo;
mod diagnostics;
mod diff;
mod import;
mod info;
mod kind;
mod output;
mod page;
mod place;
mod progress;
mod query;
mod render;
mod replay;
mod simulate;
mod target;
mod watch;
mod words;

use clap::{Parser, Subcommand};
use std::error::Error;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Server-authoritative fog of war: from a map to certified visibility.
#[derive(Parser)]
#[command(name = "fogwall", version, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Audit(audit::Args),
    Bake(bake::Args),
    Check(check::Args),
    Demo(demo::Args),
    Import(import::Args),
    Diff(diff::Args),
    Info(info::Args),
    Query(query::Args),
    Render(render::Args),
    Replay(replay::Args),
    Simulate(simulate::Args),
}

/// Runs the command that `args` name (the program's own name first), as `main` does.
pub(crate) fn run<I, T>(args: I) -> ExitCode
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(usage) => {
            // Help and version arrive as "errors" too; where even printing fails there is nobody to tell.
            let _ = usage.print();
            return ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2));
        }
    };
    let outcome = match cli.command {
        Command::Audit(args) => audit::run(&args),
        Command::Bake(args) => bake::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Query(args) => query::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Simulate(args) => simulate::run(&args),
    };
    outcome.unwrap_or_else(Failure::report)
}

/// What a command ends with: its exit code, or the failure to report.
pub(crate) type Outcome = Result<ExitCode, Failure>;

/// Why a command stopped early. Every error type converts into it with `?`.
pub(crate) enum Failure {
    /// Whoever read the output has gone: not worth a word.
    ClosedPipe,
    /// What to tell on standard error.
    Message(String),
}

impl Failure {
    /// A failure with this text.
    pub(crate) fn message(text: impl Into<String>) -> Self {
        Self::Message(text.into())
    }

    /// The failure of `error` with the file that it is about.
    pub(crate) fn about(path: &Path, error: impl Error + 'static) -> Self {
        match Self::from(error) {
            Self::Message(text) => Self::Message(format!("{}: {text}", path.display())),
            Self::ClosedPipe => Self::ClosedPipe,
        }
    }

    /// Tells it on standard error, if it is worth a word.
    pub(crate) fn print(&self) {
        if let Self::Message(text) = self {
            anstream::eprintln!("error: {text}");
        }
    }

    fn report(self) -> ExitCode {
        self.print();
        match self {
            Self::ClosedPipe => ExitCode::SUCCESS,
            Self::Message(_) => ExitCode::FAILURE,
        }
    }
}

impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let mut text = error.to_string();
        let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
        while let Some(e) = cause {
            if e.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
            {
                return Self::ClosedPipe;
            }
            cause = e.source();
            if let Some(next) = cause
                && !text.contains(&next.to_string())
            {
                text = format!("{text}: {next}");
            }
        }
        Self::Message(text)
    }
}
