-- Pages after the steps of a sign-in that was tested, with what was typed painted over; they go with the next test and with the identity.
create table identity_pictures (
  identity_id uuid not null references domain_identities on delete cascade,
  test_id uuid not null,
  step int not null,
  jpeg bytea not null,
  primary key (identity_id, step)
);
