//! `true` and `false`: nothing but a status, whatever the words.
use crate::{Builtin, Status};

pub(crate) static TRUE: Builtin = Builtin {
    name: "true",
    synopsis: "",
    about: "Return a successful result.",
    options: &[],
    trouble: Status::OK,
    run: |_| Ok(Status::OK),
};

pub(crate) static FALSE: Builtin = Builtin {
    name: "false",
    synopsis: "",
    about: "Return an unsuccessful result.",
    options: &[],
    trouble: Status::FAILURE,
    run: |_| Ok(Status::FAILURE),
};
