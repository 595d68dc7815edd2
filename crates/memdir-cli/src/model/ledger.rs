//! What was spent on models, in a file of the user's own that all processes share.

use std::time::Duration;

use memdir::store::{Error as StoreError, LocalDir, StateName};
use memdir_model::budget::{Ledger, LedgerError, Spent, SpentFault};

use crate::place::Session;

const SPENT: StateName = StateName::new("spent.json");

/// The ledger in the user's state folder.
#[derive(Debug)]
pub(super) struct UserLedger(LocalDir);

/// Why a turn at the ledger came to nothing.
enum Fault {
    Store(StoreError),
    Damaged(SpentFault),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl UserLedger {
    /// Opens it, and makes its folder where there is none.
    ///
    /// # Errors
    ///
    /// There is no such folder and none can be made.
    pub(super) fn open(session: &Session, wait: Duration) -> Result<Self, LedgerError> {
        let folder = session.state_folder().ok_or_else(|| {
            LedgerError::new("there is no folder for it, as HOME is not set", None)
        })?;
        let store = LocalDir::open_or_create(&folder, session.store_options().lock_wait(wait));
        store.map(Self).map_err(|error| {
            let what = format!("`{}` cannot be opened", folder.display());
            LedgerError::new(what, Some(Box::new(error)))
        })
    }
}

impl Ledger for UserLedger {
    fn update(&self, change: &mut dyn FnMut(&mut Spent)) -> Result<(), LedgerError> {
        let updated = self.0.turn("note what a model costs", |turn| {
            let before = match turn.state(SPENT)? {
                None => Spent::default(),
                Some(bytes) => {
                    Spent::from_json(&String::from_utf8_lossy(&bytes)).map_err(Fault::Damaged)?
                }
            };
            let mut after = before.clone();
            change(&mut after);
            if after != before {
                turn.set_state(SPENT, after.to_json().as_bytes())?;
            }
            Ok(())
        });
        updated.map_err(|fault| match fault {
            Fault::Store(error) => {
                LedgerError::new(format!("`{SPENT}` cannot be used"), Some(Box::new(error)))
            }
            Fault::Damaged(fault) => {
                LedgerError::new(format!("`{SPENT}` cannot be read"), Some(Box::new(fault)))
            }
        })
    }
}
