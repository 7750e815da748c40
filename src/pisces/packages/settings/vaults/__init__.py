"""Places that keep secrets, one a file: each exports `open_vault(places)`, None where it does not work here."""
