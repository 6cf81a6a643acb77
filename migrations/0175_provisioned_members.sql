-- Members that an identity provider manages over SCIM (src/modules/platform/access/DECISIONS.md "Provisioning").
alter table members
  -- The provider's name for the member; null: the email address.
  add column user_name text,
  -- The provider's id of the member.
  add column external_id text,
  -- The parts of the name, which only the provider reads; null: derived from the name.
  add column given_name text,
  add column family_name text,
  -- When the provider deactivated the member, whom it may activate again. Null for members who left for good.
  add column suspended_at timestamptz;
