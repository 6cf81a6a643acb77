-- Of a quotation whose draft or proforma went with its customer nothing was made: nobody accepted it, so it goes too, else it can
-- be converted anew. A proforma that was ever paid stays with its receipts, also where all of them are voided.
create or replace function erase_sales_documents() returns trigger
  language plpgsql
  as $$
begin
  -- Whoever works on one of them is waited for; what they write is seen by the statements after this one.
  perform 1 from sales_documents d join erased on d.workspace_id = erased.workspace_id and d.contact_id = erased.id
  order by d.id for update of d;
  with gone as (
    delete from sales_documents d using erased
    where d.workspace_id = erased.workspace_id and d.contact_id = erased.id
      and (d.status = 'draft'
        or d.kind = 'proforma' and d.status <> 'converted'
          and not exists (select from document_payments p where p.workspace_id = d.workspace_id and p.document_id = d.id))
    returning d.workspace_id, d.id, d.from_quotation
  )
  update sales_documents q set invoice_id = null from gone
  where q.workspace_id = gone.workspace_id and q.id = (gone.from_quotation ->> 'id')::uuid and q.invoice_id = gone.id;
  delete from sales_documents d using erased
  where d.workspace_id = erased.workspace_id and d.contact_id = erased.id
    and d.kind = 'quotation' and d.accepted_at is null and d.invoice_id is null;
  delete from sales_document_pdfs p using sales_documents d join erased on d.workspace_id = erased.workspace_id and d.contact_id = erased.id
  where p.workspace_id = d.workspace_id and p.document_id = d.id;
  update sales_document_versions v
  set document = v.document || jsonb_build_object('contactId', null, 'notes', null, 'url', null, 'customer',
    (v.document -> 'customer') || '{"phone": null, "email": null}')
  from erased join sales_documents d on d.workspace_id = erased.workspace_id and d.contact_id = erased.id
  where v.workspace_id = d.workspace_id and v.document_id = d.id;
  update sales_documents d
  set contact_id = null, notes = null, public_token = null, stripped_at = d.updated_at, customer = d.customer || '{"phone": null, "email": null}'
  from erased where d.workspace_id = erased.workspace_id and d.contact_id = erased.id;
  update received_money m set contact_id = null, lead_id = null
  from erased where m.workspace_id = erased.workspace_id and m.contact_id = erased.id;
  return null;
end
$$;
