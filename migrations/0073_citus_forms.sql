-- Lets cells be distributed with Citus (docs/cells.md, "Cells on Citus"): a cell is then a schema whose tables are on one node.
-- Citus takes no statement that joins a transition table of a trigger with a table. So these functions first read the rows into
-- arrays, one for each column that they need, and return if there are no rows. `row_` names such an array.

create or replace function renew_reference_versions() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_versions uuid[];
begin
  if tg_level = 'ROW' then
    row_workspaces := array[coalesce(new.workspace_id, old.workspace_id)];
    row_versions := array[gen_random_uuid()];
  else
    select array_agg(workspace_id), array_agg(gen_random_uuid()) into row_workspaces, row_versions
    from (select distinct workspace_id from changed) changed;
    if row_workspaces is null then return null; end if;
  end if;
  -- If a workspace is deleted, its version may have been deleted before: it must not come back.
  if tg_op = 'DELETE' then
    update reference_versions r set version = changed.version
    from unnest(row_workspaces, row_versions) as changed (workspace_id, version)
    where r.workspace_id = changed.workspace_id;
  else
    insert into reference_versions (workspace_id, version) select * from unnest(row_workspaces, row_versions)
    on conflict (workspace_id) do update set version = excluded.version;
  end if;
  return null;
end
$$;

create or replace function erase_dependents() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id) into row_workspaces, row_ids from erased;
  if row_workspaces is null then return null; end if;
  execute format(
    'delete from %I dependent using unnest($1, $2) as erased (workspace_id, id)
     where dependent.workspace_id = erased.workspace_id and dependent.%I = erased.id', tg_argv[0], tg_argv[1])
    using row_workspaces, row_ids;
  return null;
end
$$;

create or replace function cancel_erased_links() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_links text[];
  row_times timestamptz[];
begin
  select array_agg(workspace_id), array_agg(link_id), array_agg(created_at)
  into row_workspaces, row_links, row_times
  from erased where link_id is not null and status in ('created', 'sent', 'failed');
  if row_workspaces is null then return null; end if;
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select workspace_id, gen_random_uuid(), 'cancelErasedLink', jsonb_build_object('linkId', link_id), to_timestamp(0), created_at, true
  from unnest(row_workspaces, row_links, row_times) as erased (workspace_id, link_id, created_at);
  return null;
end
$$;

create or replace function end_links_of_documents() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  link_workspaces uuid[];
  link_ids uuid[];
  link_times timestamptz[];
begin
  select array_agg(workspace_id), array_agg(id)
  into row_workspaces, row_ids
  from erased;
  if row_workspaces is null then return null; end if;
  with closed as (
    update payment_links l set status = 'cancelled'
    from unnest(row_workspaces, row_ids) as erased (workspace_id, id)
    where l.workspace_id = erased.workspace_id and l.subject_id = erased.id and l.status = 'open'
    returning l.workspace_id, l.id, l.updated_at
  )
  select array_agg(workspace_id), array_agg(id), array_agg(updated_at)
  into link_workspaces, link_ids, link_times from closed;
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select workspace_id, gen_random_uuid(), 'endOpenLink', jsonb_build_object('paymentLinkId', id), to_timestamp(0), updated_at, true
  from unnest(link_workspaces, link_ids, link_times) as closed (workspace_id, id, updated_at);
  return null;
end
$$;

create or replace function erase_bookings() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  booking_workspaces uuid[];
  booking_ids uuid[];
  booking_tokens text[];
begin
  select array_agg(workspace_id), array_agg(id)
  into row_workspaces, row_ids
  from erased;
  if row_workspaces is null then return null; end if;
  -- Waits for transactions that change these bookings. The statements after this one see their changes.
  select array_agg(b.workspace_id), array_agg(b.id), array_agg(gen_random_uuid()::text)
  into booking_workspaces, booking_ids, booking_tokens
  from (
    select b.workspace_id, b.id from bookings b
    join unnest(row_workspaces, row_ids) as erased (workspace_id, id)
      on b.workspace_id = erased.workspace_id and b.contact_id = erased.id
    order by b.id for update of b) b;
  if booking_ids is null then return null; end if;
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select b.workspace_id, gen_random_uuid(), 'releaseErased', jsonb_build_object('bookingId', b.id), to_timestamp(0),
    b.created_at, false
  from unnest(booking_workspaces, booking_ids) as erased (workspace_id, id)
  join bookings b on b.workspace_id = erased.workspace_id and b.id = erased.id
  where b.status in ('held', 'confirmed');
  update bookings b
  set contact_id = null, customer = '{"name": null, "phone": null, "email": null}', notes = null, answers = '{}',
    cancel_reason = null, token = erased.token
  from unnest(booking_workspaces, booking_ids, booking_tokens) as erased (workspace_id, id, token)
  where b.workspace_id = erased.workspace_id and b.id = erased.id;
  return null;
end
$$;

create or replace function erase_files() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_times timestamptz[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(created_at)
  into row_workspaces, row_ids, row_times
  from erased;
  if row_workspaces is null then return null; end if;
  insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
  select workspace_id, gen_random_uuid(), 'eraseFile', jsonb_build_object('mediaId', id), to_timestamp(0), created_at, true
  from unnest(row_workspaces, row_ids, row_times) as erased (workspace_id, id, created_at);
  return null;
end
$$;

create or replace function erase_message_changes() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_chanmids text[];
begin
  select array_agg(workspace_id), array_agg(chanmid)
  into row_workspaces, row_chanmids
  from erased where chanmid is not null;
  if row_workspaces is null then return null; end if;
  delete from message_changes c
  using unnest(row_workspaces, row_chanmids) as erased (workspace_id, chanmid)
  where c.workspace_id = erased.workspace_id and c.original = erased.chanmid;
  return null;
end
$$;

create or replace function erase_orders() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_phones text[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(phone)
  into row_workspaces, row_ids, row_phones
  from erased;
  if row_workspaces is null then return null; end if;
  update orders o set contact_id = null, phone = null, customer_name = null, url = null, erased = true
  from unnest(row_workspaces, row_ids, row_phones) as erased (workspace_id, id, phone)
  where o.workspace_id = erased.workspace_id and o.contact_id = erased.id;
  update orders o set phone = null, customer_name = null, url = null, erased = true
  from unnest(row_workspaces, row_ids, row_phones) as erased (workspace_id, id, phone)
  where o.workspace_id = erased.workspace_id and o.contact_id is null and o.phone = erased.phone;
  return null;
end
$$;

create or replace function erase_ratings() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id)
  into row_workspaces, row_ids
  from erased;
  if row_workspaces is null then return null; end if;
  delete from conversation_ratings r
  using unnest(row_workspaces, row_ids) as erased (workspace_id, id)
  where r.workspace_id = erased.workspace_id and r.conversation_id = erased.id and r.status <> 'rated';
  update conversation_ratings r set message_id = null
  from unnest(row_workspaces, row_ids) as erased (workspace_id, id)
  where r.workspace_id = erased.workspace_id and r.conversation_id = erased.id;
  return null;
end
$$;

create or replace function erase_reviews() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id)
  into row_workspaces, row_ids
  from erased;
  if row_workspaces is null then return null; end if;
  delete from review_requests r using unnest(row_workspaces, row_ids) as erased (workspace_id, id)
  where r.workspace_id = erased.workspace_id and r.contact_id = erased.id and r.status <> 'answered';
  update review_requests r set contact_id = null, customer_name = null, public_token = null
  from unnest(row_workspaces, row_ids) as erased (workspace_id, id)
  where r.workspace_id = erased.workspace_id and r.contact_id = erased.id;
  update reviews r set contact_id = null, customer_name = null, comment = null
  from unnest(row_workspaces, row_ids) as erased (workspace_id, id)
  where r.workspace_id = erased.workspace_id and r.contact_id = erased.id;
  return null;
end
$$;

create or replace function erase_sales_documents() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  quotation_workspaces uuid[];
  quotation_ids uuid[];
  invoice_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id)
  into row_workspaces, row_ids
  from erased;
  if row_workspaces is null then return null; end if;
  -- Waits for transactions that change these documents. The statements after this one see their changes.
  perform 1 from sales_documents d join unnest(row_workspaces, row_ids) as erased (workspace_id, id)
  on d.workspace_id = erased.workspace_id and d.contact_id = erased.id
  order by d.id for update of d;
  with gone as (
    delete from sales_documents d using unnest(row_workspaces, row_ids) as erased (workspace_id, id)
    where d.workspace_id = erased.workspace_id and d.contact_id = erased.id
      and (d.status = 'draft'
        or d.kind = 'proforma' and d.status <> 'converted'
          and not exists (select from document_payments p where p.workspace_id = d.workspace_id and p.document_id = d.id))
    returning d.workspace_id, d.id, d.from_quotation
  )
  select array_agg(workspace_id), array_agg((from_quotation ->> 'id')::uuid), array_agg(id)
  into quotation_workspaces, quotation_ids, invoice_ids from gone;
  update sales_documents q set invoice_id = null
  from unnest(quotation_workspaces, quotation_ids, invoice_ids) as gone (workspace_id, quotation_id, invoice_id)
  where q.workspace_id = gone.workspace_id and q.id = gone.quotation_id and q.invoice_id = gone.invoice_id;
  delete from sales_documents d using unnest(row_workspaces, row_ids) as erased (workspace_id, id)
  where d.workspace_id = erased.workspace_id and d.contact_id = erased.id
    and d.kind = 'quotation' and d.accepted_at is null and d.invoice_id is null;
  delete from sales_document_pdfs p using sales_documents d
  join unnest(row_workspaces, row_ids) as erased (workspace_id, id)
  on d.workspace_id = erased.workspace_id and d.contact_id = erased.id
  where p.workspace_id = d.workspace_id and p.document_id = d.id;
  update sales_document_versions v
  set document = jsonb_set(v.document || '{"contactId": null, "notes": null, "url": null}', '{customer}',
    coalesce((v.document -> 'customer') || '{"phone": null, "email": null}', 'null'))
  from unnest(row_workspaces, row_ids) as erased (workspace_id, id)
  join sales_documents d on d.workspace_id = erased.workspace_id and d.contact_id = erased.id
  where v.workspace_id = d.workspace_id and v.document_id = d.id;
  update sales_documents d
  set contact_id = null, notes = null, public_token = null, stripped_at = d.updated_at, customer = d.customer || '{"phone": null, "email": null}'
  from unnest(row_workspaces, row_ids) as erased (workspace_id, id)
  where d.workspace_id = erased.workspace_id and d.contact_id = erased.id;
  update received_money m set contact_id = null, lead_id = null
  from unnest(row_workspaces, row_ids) as erased (workspace_id, id)
  where m.workspace_id = erased.workspace_id and m.contact_id = erased.id;
  return null;
end
$$;

create or replace function erase_simulated_files() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_operator_ids text[];
begin
  select array_agg(workspace_id), array_agg(operator_id)
  into row_workspaces, row_operator_ids
  from erased;
  if row_workspaces is null then return null; end if;
  delete from simulator_objects o
  using unnest(row_workspaces, row_operator_ids) as erased (workspace_id, operator_id)
  where o.workspace_id = erased.workspace_id and o.kind = 'media' and o.id = erased.operator_id
    and not exists (
      select from media m where m.workspace_id = erased.workspace_id and m.operator_id = erased.operator_id);
  return null;
end
$$;

create or replace function erase_simulated_reports() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
begin
  if coalesce(current_setting('parley.erasure', true), '') = '' then
    return null;
  end if;
  select array_agg(workspace_id), array_agg(id)
  into row_workspaces, row_ids
  from erased;
  if row_workspaces is null then return null; end if;
  delete from operator_updates where (workspace_id, id) in (
    select u.workspace_id, u.id from unnest(row_workspaces, row_ids) as erased (workspace_id, id)
    join operator_updates u on u.workspace_id = erased.workspace_id and u.reference = erased.id
    for update of u skip locked);
  return null;
end
$$;

create or replace function erase_social_comments() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_phones text[];
begin
  select array_agg(workspace_id), array_agg(phone)
  into row_workspaces, row_phones
  from erased where channel = 'social';
  if row_workspaces is null then return null; end if;
  delete from social_comments c
  using unnest(row_workspaces, row_phones) as erased (workspace_id, phone)
  where c.workspace_id = erased.workspace_id and c.author_id = substr(erased.phone, 4);
  return null;
end
$$;

create or replace function forget_deleted_invoices() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id)
  into row_workspaces, row_ids
  from erased;
  if row_workspaces is null then return null; end if;
  update bookings b set invoice_id = null
  from unnest(row_workspaces, row_ids) as erased (workspace_id, id)
  where b.workspace_id = erased.workspace_id and b.invoice_id = erased.id;
  return null;
end
$$;

create or replace function keep_recipient_status() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_contacts uuid[];
  row_broadcasts uuid[];
  row_statuses text[];
  row_error_codes int[];
  row_reasons text[];
begin
  select array_agg(workspace_id), array_agg(contact_id), array_agg(broadcast_id), array_agg(status), array_agg((error ->> 'code')::int4), array_agg(coalesce(skip_reason, error ->> 'title'))
  into row_workspaces, row_contacts, row_broadcasts, row_statuses, row_error_codes, row_reasons
  from erased where broadcast_id is not null;
  if row_workspaces is null then return null; end if;
  update broadcast_recipients r
  set last_status = erased.status, error_code = erased.error_code, reason = coalesce(r.reason, erased.reason)
  from unnest(row_workspaces, row_contacts, row_broadcasts, row_statuses, row_error_codes, row_reasons) as erased (workspace_id, contact_id, broadcast_id, status, error_code, reason)
  where r.workspace_id = erased.workspace_id and r.contact_id = erased.contact_id
    and r.broadcast_id = erased.broadcast_id
    -- Nothing of an erased contact is kept.
    and exists (select from contacts c where c.workspace_id = erased.workspace_id and c.id = erased.contact_id);
  return null;
end
$$;

create or replace function unlink_social_lead() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id)
  into row_workspaces, row_ids
  from erased;
  if row_workspaces is null then return null; end if;
  update social_conversations c set lead_id = null
  from unnest(row_workspaces, row_ids) as erased (workspace_id, id)
  where c.workspace_id = erased.workspace_id and c.lead_id = erased.id;
  return null;
end
$$;

create or replace function forget_submissions() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_values text[];
begin
  execute format('select array_agg(workspace_id), array_agg(%1$I) from erased where %1$I is not null', tg_argv[0])
    into row_workspaces, row_values;
  if row_workspaces is null then return null; end if;
  delete from lead_submissions s
  using unnest(row_workspaces, row_values) as erased (workspace_id, value)
  where s.workspace_id = erased.workspace_id and s.phone = erased.value;
  return null;
end
$$;

create or replace function forget_import_rows() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_values text[];
begin
  execute format('select array_agg(workspace_id), array_agg(%1$I) from erased where %1$I is not null', tg_argv[0])
    into row_workspaces, row_values;
  if row_workspaces is null then return null; end if;
  delete from import_rows s
  using unnest(row_workspaces, row_values) as erased (workspace_id, value)
  where s.workspace_id = erased.workspace_id and s.phones ? erased.value;
  return null;
end
$$;

create or replace function forget_capture_submissions() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_values text[];
begin
  execute format('select array_agg(workspace_id), array_agg(%1$I) from erased where %1$I is not null', tg_argv[0])
    into row_workspaces, row_values;
  if row_workspaces is null then return null; end if;
  delete from capture_submissions s
  using unnest(row_workspaces, row_values) as erased (workspace_id, value)
  where s.workspace_id = erased.workspace_id and s.phones @> array[erased.value];
  return null;
end
$$;

create or replace function merge_dependents() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
  row_merged_with uuid[];
begin
  -- Rows of merged contacts have no `merged_with`.
  select array_agg(m.workspace_id), array_agg(m.id), array_agg(m.kept_id),
    array_agg((to_jsonb(m) ->> 'merged_with')::uuid)
  into row_workspaces, row_ids, row_kept_ids, row_merged_with
  from merged m;
  if row_workspaces is null then return null; end if;
  execute format(
    'update %1$I dependent set %2$I = merged.kept_id
     from unnest($1, $2, $3, $4) as merged (workspace_id, id, kept_id, merged_with)
     where dependent.workspace_id = merged.workspace_id and dependent.%2$I = merged.id %3$s',
    tg_argv[0], tg_argv[1],
    case when tg_argv[2] is not null then format(
      'and dependent.%1$I in (select merged.merged_with union all
         select kept_id from merged_contacts gone
         where gone.workspace_id = merged.workspace_id and gone.id = merged.merged_with)', tg_argv[2]) else '' end)
    using row_workspaces, row_ids, row_kept_ids, row_merged_with;
  return null;
end
$$;

-- The ON CONFLICT of Citus takes immutable functions, and no subqueries.
create function sorted_times(times timestamptz[]) returns timestamptz[]
  language sql immutable parallel safe
  as $$ select array(select t from unnest(times) t order by t) $$;

create function latest_times(times timestamptz[], max_times int) returns timestamptz[]
  language sql immutable parallel safe
  as $$ select (array(select t from unnest(times) t order by t desc))[1:max_times] $$;

create or replace function merge_auto_reply_uses() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id)
  into row_workspaces, row_ids, row_kept_ids
  from merged;
  if row_workspaces is null then return null; end if;
  insert into auto_reply_uses as k (workspace_id, conversation_id, auto_reply_id, sent_at)
  select u.workspace_id, merged.kept_id, u.auto_reply_id, u.sent_at
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  join auto_reply_uses u on u.workspace_id = merged.workspace_id and u.conversation_id = merged.id
  on conflict (workspace_id, conversation_id, auto_reply_id) do update set sent_at = greatest(k.sent_at, excluded.sent_at);
  return null;
end
$$;

create or replace function merge_automatic_messages() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id)
  into row_workspaces, row_ids, row_kept_ids
  from merged;
  if row_workspaces is null then return null; end if;
  insert into automatic_messages as k (workspace_id, conversation_id, sent_at)
  select a.workspace_id, merged.kept_id, a.sent_at
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  join automatic_messages a on a.workspace_id = merged.workspace_id and a.conversation_id = merged.id
  on conflict (workspace_id, conversation_id) do update
  set sent_at = sorted_times(k.sent_at || excluded.sent_at);
  return null;
end
$$;

create or replace function merge_bot_sessions() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id)
  into row_workspaces, row_ids, row_kept_ids
  from merged;
  if row_workspaces is null then return null; end if;
  delete from bot_sessions k
  using unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  join bot_sessions s on s.workspace_id = merged.workspace_id and s.conversation_id = merged.id
  where k.workspace_id = merged.workspace_id and k.conversation_id = merged.kept_id and k.run_at < s.run_at;
  update bot_sessions s set conversation_id = merged.kept_id
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  where s.workspace_id = merged.workspace_id and s.conversation_id = merged.id
    and not exists (
      select from bot_sessions k where k.workspace_id = s.workspace_id and k.conversation_id = merged.kept_id);
  return null;
end
$$;

create or replace function merge_contact_blocks() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
  row_phones text[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id), array_agg(phone)
  into row_workspaces, row_ids, row_kept_ids, row_phones
  from merged;
  if row_workspaces is null then return null; end if;
  insert into contact_blocks as k (workspace_id, contact_id, phone_number_id, created_at, blocked_as)
  select b.workspace_id, merged.kept_id, b.phone_number_id, b.created_at,
    coalesce(b.blocked_as, array[merged.phone]) || case when known.contact_id is not null then coalesce(known.blocked_as, array(
      select c.phone from contacts c where c.workspace_id = merged.workspace_id and c.id = merged.kept_id)) end
  from unnest(row_workspaces, row_ids, row_kept_ids, row_phones) as merged (workspace_id, id, kept_id, phone)
  join contact_blocks b on b.workspace_id = merged.workspace_id and b.contact_id = merged.id
  left join contact_blocks known on known.workspace_id = merged.workspace_id and known.contact_id = merged.kept_id
    and known.phone_number_id = b.phone_number_id
  on conflict (workspace_id, contact_id, phone_number_id) do update set blocked_as = excluded.blocked_as;
  return null;
end
$$;

create or replace function merge_drafts() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id)
  into row_workspaces, row_ids, row_kept_ids
  from merged;
  if row_workspaces is null then return null; end if;
  update drafts k
  set text = case when k.text = '' or d.text = '' then k.text || d.text else k.text || E'\n\n' || d.text end,
      files = k.files || d.files, updated_at = greatest(k.updated_at, d.updated_at)
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  join drafts d on d.workspace_id = merged.workspace_id and d.conversation_id = merged.id
  where k.workspace_id = merged.workspace_id and k.conversation_id = merged.kept_id and k.member_id = d.member_id;
  update drafts d set conversation_id = merged.kept_id
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  where d.workspace_id = merged.workspace_id and d.conversation_id = merged.id
    and not exists (
      select from drafts k
      where k.workspace_id = d.workspace_id and k.conversation_id = merged.kept_id and k.member_id = d.member_id);
  return null;
end
$$;

create or replace function merge_joined_messages() returns trigger
  language plpgsql set enable_seqscan = off
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
  row_merged_with uuid[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id), array_agg(merged_with)
  into row_workspaces, row_ids, row_kept_ids, row_merged_with
  from merged;
  if row_workspaces is null then return null; end if;
  update messages m
  set conversation_id = merged.kept_id, contact_id = gone.kept_id,
      sent_to = case when m.run_at is not null and m.contact_id = gone.id then coalesce(m.sent_to, gone.phone) else m.sent_to end
  from unnest(row_workspaces, row_ids, row_kept_ids, row_merged_with) as merged (workspace_id, id, kept_id, merged_with)
  join merged_contacts gone on gone.workspace_id = merged.workspace_id and gone.id = merged.merged_with
  where m.workspace_id = merged.workspace_id and m.conversation_id = merged.id;
  return null;
end
$$;

create or replace function merge_jobs() returns trigger
  language plpgsql
  as $$
declare
  field text := tg_argv[0];
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id)
  into row_workspaces, row_ids, row_kept_ids
  from merged;
  if row_workspaces is null then return null; end if;
  update jobs j set payload = jsonb_set(j.payload, array[field], ('"' || merged.kept_id || '"')::jsonb)
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  where j.workspace_id = merged.workspace_id and (j.workspace_id, j.id) in (
    select w.workspace_id, w.id from jobs w
    where w.workspace_id = merged.workspace_id and w.payload ->> field = merged.id::text for update skip locked);
  return null;
end
$$;

create or replace function merge_marketing_marks() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id)
  into row_workspaces, row_ids, row_kept_ids
  from merged;
  if row_workspaces is null then return null; end if;
  insert into marketing_marks as k (workspace_id, contact_id, times)
  select m.workspace_id, merged.kept_id, m.times
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  join marketing_marks m on m.workspace_id = merged.workspace_id and m.contact_id = merged.id
  order by 1, 2
  on conflict (workspace_id, contact_id) do update
  set times = latest_times(k.times || excluded.times, 8);
  return null;
end
$$;

create or replace function merge_moved_messages() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
  row_phones text[];
  chat record;
  beyond uuid;
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id), array_agg(phone)
  into row_workspaces, row_ids, row_kept_ids, row_phones
  from merged;
  if row_workspaces is null then return null; end if;
  for chat in
    select c.workspace_id, c.id, merged.id as gone_id, merged.kept_id, merged.phone
    from unnest(row_workspaces, row_ids, row_kept_ids, row_phones) as merged (workspace_id, id, kept_id, phone)
    join conversations c on c.workspace_id = merged.workspace_id and c.contact_id = merged.kept_id
    order by c.workspace_id, c.id
  loop
    select m.id into beyond from messages m
    where m.workspace_id = chat.workspace_id and m.conversation_id = chat.id order by m.id desc offset 1000 limit 1;
    update messages m
    set contact_id = chat.kept_id, sent_to = case when m.run_at is not null then coalesce(m.sent_to, chat.phone) end
    where m.workspace_id = chat.workspace_id and m.conversation_id = chat.id and m.contact_id = chat.gone_id
      and (beyond is null or m.id > beyond or m.run_at is not null or m.broadcast_id is not null or m.status = 'queued');
    insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
    select chat.workspace_id, gen_random_uuid(), 'carry_merged_messages',
      jsonb_build_object('conversationId', chat.id, 'mergedId', chat.gone_id, 'reached', beyond), now(), now(), false
    where beyond is not null and exists (
      select from messages m where m.workspace_id = chat.workspace_id and m.conversation_id = chat.id and m.id <= beyond
        and m.contact_id = chat.gone_id);
  end loop;
  return null;
end
$$;

create or replace function merge_orders() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
  row_phones text[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id), array_agg(phone)
  into row_workspaces, row_ids, row_kept_ids, row_phones
  from merged;
  if row_workspaces is null then return null; end if;
  update orders o set contact_id = merged.kept_id
  from unnest(row_workspaces, row_ids, row_kept_ids, row_phones) as merged (workspace_id, id, kept_id, phone)
  where o.workspace_id = merged.workspace_id
    and (o.contact_id = merged.id or o.contact_id is null and not o.erased and o.phone = merged.phone);
  return null;
end
$$;

create or replace function merge_ratings() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id)
  into row_workspaces, row_ids, row_kept_ids
  from merged;
  if row_workspaces is null then return null; end if;
  delete from conversation_ratings k
  using unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  join conversation_ratings r on r.workspace_id = merged.workspace_id and r.conversation_id = merged.id
  where k.workspace_id = merged.workspace_id and k.conversation_id = merged.kept_id
    and array_position(array['due', 'asked', 'rated'], k.status) < array_position(array['due', 'asked', 'rated'], r.status);
  update conversation_ratings r set conversation_id = merged.kept_id
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  where r.workspace_id = merged.workspace_id and r.conversation_id = merged.id
    and not exists (
      select from conversation_ratings k where k.workspace_id = r.workspace_id and k.conversation_id = merged.kept_id);
  return null;
end
$$;

create or replace function merge_recipients() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
  pair_workspaces uuid[];
  pair_broadcasts uuid[];
  pair_contacts uuid[];
  pair_kept_messages uuid[];
  pair_doubled uuid[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id)
  into row_workspaces, row_ids, row_kept_ids
  from merged;
  if row_workspaces is null then return null; end if;
  -- Two messages of a campaign for one person: the one that waits is not sent.
  with pairs as materialized (
    select k.workspace_id, k.broadcast_id, k.contact_id, k.message_id as kept_message, r.message_id as gone_message
    from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
    join broadcast_recipients r on r.workspace_id = merged.workspace_id and r.contact_id = merged.id
    join broadcast_recipients k on k.workspace_id = r.workspace_id and k.broadcast_id = r.broadcast_id and k.contact_id = merged.kept_id
    where k.message_id is not null and r.message_id is not null
  ), chosen as (
    select pairs.*,
      case when gone.status = 'queued' and gone.leased_until is null and gone.chanmid is null then gone.id
           when kept.status = 'queued' and kept.leased_until is null and kept.chanmid is null then kept.id end as doubled
    from pairs
    join messages kept on kept.workspace_id = pairs.workspace_id and kept.id = pairs.kept_message
    join messages gone on gone.workspace_id = pairs.workspace_id and gone.id = pairs.gone_message
    where kept.status not in ('failed', 'skipped') and kept.skip_reason is null
      and gone.status not in ('failed', 'skipped') and gone.skip_reason is null
  )
  select array_agg(workspace_id), array_agg(broadcast_id), array_agg(contact_id), array_agg(kept_message), array_agg(doubled)
  into pair_workspaces, pair_broadcasts, pair_contacts, pair_kept_messages, pair_doubled
  from chosen where doubled is not null;
  if pair_workspaces is not null then
    update messages m set skip_reason = 'duplicate'
    from unnest(pair_workspaces, pair_doubled) as chosen (workspace_id, doubled)
    where m.workspace_id = chosen.workspace_id and m.id = chosen.doubled;
    -- The person's row is that of the message that goes.
    delete from broadcast_recipients k
    using unnest(pair_workspaces, pair_broadcasts, pair_contacts, pair_kept_messages, pair_doubled)
      as chosen (workspace_id, broadcast_id, contact_id, kept_message, doubled)
    where k.workspace_id = chosen.workspace_id and k.broadcast_id = chosen.broadcast_id and k.contact_id = chosen.contact_id
      and chosen.doubled = chosen.kept_message;
  end if;
  delete from broadcast_recipients k
  using unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  join broadcast_recipients r on r.workspace_id = merged.workspace_id and r.contact_id = merged.id
  where k.workspace_id = r.workspace_id and k.contact_id = merged.kept_id and k.broadcast_id = r.broadcast_id
    and array_position(array['skipped', 'waiting', 'queued'], k.state) < array_position(array['skipped', 'waiting', 'queued'], r.state);
  update broadcast_recipients r set contact_id = merged.kept_id
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  where r.workspace_id = merged.workspace_id and r.contact_id = merged.id
    and not exists (
      select from broadcast_recipients k
      where k.workspace_id = r.workspace_id and k.contact_id = merged.kept_id and k.broadcast_id = r.broadcast_id);
  return null;
end
$$;

create or replace function merge_saved_views() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id)
  into row_workspaces, row_ids, row_kept_ids
  from merged;
  if row_workspaces is null then return null; end if;
  update saved_views v
  set filter = replace(v.filter::text, merged.id::text, merged.kept_id::text)::jsonb,
      chats = replace(v.chats::text, merged.id::text, merged.kept_id::text)::jsonb
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  where v.workspace_id = merged.workspace_id
    and (position(merged.id::text in v.filter::text) > 0 or position(merged.id::text in v.chats::text) > 0);
  return null;
end
$$;

create or replace function merge_segments() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
begin
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id)
  into row_workspaces, row_ids, row_kept_ids
  from merged;
  if row_workspaces is null then return null; end if;
  update segments s
  set definition = jsonb_set(s.definition, '{contactIds}', merge_listed(s.definition -> 'contactIds', merged.id, merged.kept_id))
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  where s.workspace_id = merged.workspace_id and s.definition -> 'contactIds' ? merged.id::text;
  update broadcasts b
  set segment = jsonb_set(b.segment, '{contactIds}', merge_listed(b.segment -> 'contactIds', merged.id, merged.kept_id))
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  where b.workspace_id = merged.workspace_id and b.segment -> 'contactIds' ? merged.id::text
    and b.status in ('draft', 'scheduled', 'running', 'paused');
  return null;
end
$$;

create or replace function merge_walks() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_ids uuid[];
  row_kept_ids uuid[];
begin
  if merge_settings() is null then
    return null;
  end if;
  select array_agg(workspace_id), array_agg(id), array_agg(kept_id)
  into row_workspaces, row_ids, row_kept_ids
  from merged;
  if row_workspaces is null then return null; end if;
  insert into broadcast_stretches (workspace_id, broadcast_id, after_id, until_id)
  select distinct b.workspace_id, b.id, id_before(merged.kept_id), merged.kept_id
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  join contacts gone on gone.workspace_id = merged.workspace_id and gone.id = merged.id
  join broadcasts b on b.workspace_id = merged.workspace_id and b.status in ('running', 'paused') and gone.created_at <= b.started_at
  where merged.kept_id <= b.walked_to
    and (merged.id > b.walked_to or exists (
      select from broadcast_stretches s
      where s.workspace_id = b.workspace_id and s.broadcast_id = b.id and s.after_id < merged.id and s.until_id >= merged.id))
    and not exists (
      select from broadcast_stretches s
      where s.workspace_id = b.workspace_id and s.broadcast_id = b.id and s.after_id < merged.kept_id and s.until_id >= merged.kept_id)
    and not exists (
      select from broadcast_recipients r
      where r.workspace_id = b.workspace_id and r.broadcast_id = b.id and r.contact_id = merged.kept_id);
  update contacts kept set created_at = gone.created_at
  from unnest(row_workspaces, row_ids, row_kept_ids) as merged (workspace_id, id, kept_id)
  join contacts gone on gone.workspace_id = merged.workspace_id and gone.id = merged.id
  where kept.workspace_id = merged.workspace_id and kept.id = merged.kept_id and kept.created_at > gone.created_at;
  return null;
end
$$;

create or replace function note_leads_added() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_stages uuid[];
  row_owners uuid[];
  row_ratings int[];
  row_lost_reasons uuid[];
  row_sources text[];
  -- As text, because `unnest` takes lists of lists apart.
  row_tags text[];
  row_prefixes text[];
  row_created_at timestamptz[];
  row_follow_ups timestamptz[];
begin
  select array_agg(workspace_id), array_agg(stage_id), array_agg(owner_id), array_agg(rating), array_agg(lost_reason_id),
    array_agg(source), array_agg(tags::text), array_agg(left(phone, 6)), array_agg(created_at), array_agg(next_follow_up_at)
  into row_workspaces, row_stages, row_owners, row_ratings, row_lost_reasons,
    row_sources, row_tags, row_prefixes, row_created_at, row_follow_ups
  from moved;
  if row_workspaces is null then return null; end if;
  insert into lead_changes (workspace_id, amount, stage_id, owner_id, rating, lost_reason_id, source, tags, phone_prefix, created_at, next_follow_up_at)
  select workspace_id, 1, stage_id, owner_id, rating, lost_reason_id, source, tags::text[], phone_prefix, created_at, next_follow_up_at
  from unnest(row_workspaces, row_stages, row_owners, row_ratings, row_lost_reasons,
      row_sources, row_tags, row_prefixes, row_created_at, row_follow_ups)
    as moved (workspace_id, stage_id, owner_id, rating, lost_reason_id, source, tags, phone_prefix, created_at, next_follow_up_at);
  return null;
end
$$;

create or replace function note_leads_removed() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_stages uuid[];
  row_owners uuid[];
  row_ratings int[];
  row_lost_reasons uuid[];
  row_sources text[];
  -- As text, because `unnest` takes lists of lists apart.
  row_tags text[];
  row_prefixes text[];
  row_created_at timestamptz[];
  row_follow_ups timestamptz[];
begin
  select array_agg(workspace_id), array_agg(stage_id), array_agg(owner_id), array_agg(rating), array_agg(lost_reason_id),
    array_agg(source), array_agg(tags::text), array_agg(left(phone, 6)), array_agg(created_at), array_agg(next_follow_up_at)
  into row_workspaces, row_stages, row_owners, row_ratings, row_lost_reasons,
    row_sources, row_tags, row_prefixes, row_created_at, row_follow_ups
  from moved;
  if row_workspaces is null then return null; end if;
  insert into lead_changes (workspace_id, amount, stage_id, owner_id, rating, lost_reason_id, source, tags, phone_prefix, created_at, next_follow_up_at)
  select workspace_id, -1, stage_id, owner_id, rating, lost_reason_id, source, tags::text[], phone_prefix, created_at, next_follow_up_at
  from unnest(row_workspaces, row_stages, row_owners, row_ratings, row_lost_reasons,
      row_sources, row_tags, row_prefixes, row_created_at, row_follow_ups)
    as moved (workspace_id, stage_id, owner_id, rating, lost_reason_id, source, tags, phone_prefix, created_at, next_follow_up_at);
  return null;
end
$$;

create or replace function note_tasks_added() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_statuses text[];
  row_assignees text[];
  row_counts bigint[];
begin
  select array_agg(workspace_id), array_agg(status), array_agg(assignee), array_agg(tasks)
  into row_workspaces, row_statuses, row_assignees, row_counts
  from (
    select workspace_id, status, coalesce(assignee_id::text, '') as assignee, count(*) as tasks from moved group by 1, 2, 3) moved;
  if row_workspaces is null then return null; end if;
  insert into task_changes (workspace_id, status, assignee, amount)
  select workspace_id, status, assignee, tasks
  from unnest(row_workspaces, row_statuses, row_assignees, row_counts) as moved (workspace_id, status, assignee, tasks);
  return null;
end
$$;

create or replace function note_tasks_removed() returns trigger
  language plpgsql
  as $$
declare
  row_workspaces uuid[];
  row_statuses text[];
  row_assignees text[];
  row_counts bigint[];
begin
  select array_agg(workspace_id), array_agg(status), array_agg(assignee), array_agg(tasks)
  into row_workspaces, row_statuses, row_assignees, row_counts
  from (
    select workspace_id, status, coalesce(assignee_id::text, '') as assignee, count(*) as tasks from moved group by 1, 2, 3) moved;
  if row_workspaces is null then return null; end if;
  insert into task_changes (workspace_id, status, assignee, amount)
  select workspace_id, status, assignee, -tasks
  from unnest(row_workspaces, row_statuses, row_assignees, row_counts) as moved (workspace_id, status, assignee, tasks);
  return null;
end
$$;

-- Parameters of SQL functions that read tables are unknown to Citus; those of PL/pgSQL functions are known.
create or replace function carries_upload(workspace uuid, media text) returns boolean
  language plpgsql stable
  as $$
begin
  return exists (
      select from messages m
      where m.workspace_id = workspace and m.direction = 'outbound'
        and m.type in ('image', 'video', 'audio', 'document', 'sticker') and m.content ->> 'id' = media)
    or exists (select from sent_files f where f.workspace_id = workspace and f.operator_id = media);
end
$$;

-- Returns whether values fulfill a condition of the language of filters, as `fulfils` does. A function that takes a row of a table
-- cannot be on all nodes of Citus, so this one takes the row as JSON.
create function lead_fulfills(subject jsonb, tree jsonb, vals jsonb) returns boolean
  language plpgsql stable
  as $$
declare
  holds boolean;
begin
  execute format('select coalesce(%s, false) from jsonb_populate_record(null::leads, $4) as leads', lead_condition(tree))
    into holds using (subject ->> 'workspace_id')::uuid, vals, '{}'::uuid[], subject;
  return holds;
end
$$;
select pin_search_path('lead_fulfills(jsonb, jsonb, jsonb)');

-- Adds to a time without daylight saving, so that the result depends on the arguments alone. In updates, Citus takes only
-- such functions of columns. PostgreSQL writes the function's text into the statement.
create function after_ms(at timestamptz, ms double precision) returns timestamptz
  language sql immutable parallel safe
  as $$ select (at at time zone 'UTC' + ms * interval '1 millisecond') at time zone 'UTC' $$;

-- Returns the partitions of the log of deliveries with pending rows, and those of some days even if empty; the oldest first. It
-- first reads the catalog, which Citus joins with no table, and then the first row of each partition's index of pending rows.
create function pending_partitions(current_days date[]) returns setof text
  language plpgsql stable
  as $$
declare
  days text[] := array(
    select right(part.relname, 8) from pg_inherits i join pg_class part on part.oid = i.inhrelid
    where i.inhparent = 'deliveries'::regclass and part.relname ~ '^deliveries_[0-9]{8}$');
begin
  return query
    select 'deliveries_' || d.day from unnest(days) as d (day)
    where d.day::date = any (current_days) or exists (
      select from deliveries p
      where p.run_at is not null and p.id >= id_bound(d.day::date::timestamp at time zone 'UTC')
        and p.id < id_bound((d.day::date + 1)::timestamp at time zone 'UTC'))
    union all
    select 'deliveries_other' where exists (select from deliveries_other where run_at is not null)
    order by 1;
end
$$;
