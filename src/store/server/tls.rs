//! Encryption of a connection, always with a check of the server's certificate and name.

use std::{path::Path, sync::Arc};

use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{PostgresError, address::Authorities};

pub(super) fn connector(authorities: &Authorities) -> Result<MakeRustlsConnect, PostgresError> {
    let roots = match authorities {
        // Never used: the driver makes no such connection then.
        Authorities::Nobody => RootCertStore::empty(),
        Authorities::System => of_system()?,
        Authorities::In(path) => of_file(path)?,
    };
    let refused = |error: rustls::Error| unreadable("the system", &error);
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(refused)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn unreadable(path: &str, reason: &dyn ToString) -> PostgresError {
    PostgresError::RootCertificates { path: path.to_owned(), reason: reason.to_string() }
}

fn of_system() -> Result<RootCertStore, PostgresError> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (added, _) = roots.add_parsable_certificates(found.certs);
    match (added, found.errors.first()) {
        (0, Some(error)) => Err(unreadable("the system's certificates", error)),
        (0, None) => Err(unreadable("the system's certificates", &"there are none")),
        _ => Ok(roots),
    }
}

fn of_file(path: &Path) -> Result<RootCertStore, PostgresError> {
    let name = path.to_string_lossy();
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(|error| unreadable(&name, &error))? {
        let certificate = certificate.map_err(|error| unreadable(&name, &error))?;
        roots.add(certificate).map_err(|error| unreadable(&name, &error))?;
    }
    match roots.is_empty() {
        true => Err(unreadable(&name, &"there are none")),
        false => Ok(roots),
    }
}
