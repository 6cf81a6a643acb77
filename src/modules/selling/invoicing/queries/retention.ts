/** SQL for erased customers' data in documents that the law requires to keep. */
import type { Query } from '../../../../core/context.ts'

/**
 * Removes name, address, and GSTIN from documents of erased customers after the retention time: the
 * workspace's number of years after the end of the financial year.
 */
export const forgetOldCustomers = async (query: Query, today: string, max: number): Promise<number> =>
  (
    await query(
      `with over as (
         select d.workspace_id, d.id from sales_documents d
         left join sales_settings s on s.workspace_id = d.workspace_id
         where d.stripped_at is not null
           and (d.financial_year::date
                + make_interval(years => 1 + coalesce((s.settings ->> 'retentionYears')::int, 8)))::date <= $1::date
         limit $2
       ), versions as (
         update sales_document_versions v
         set document = jsonb_set(v.document, '{customer}',
           '{"name": null, "phone": null, "email": null, "gstin": null, "billingAddress": null, "shippingAddress": null}')
         from over where v.workspace_id = over.workspace_id and v.document_id = over.id
       ), pdfs as (
         delete from sales_document_pdfs p using over where p.workspace_id = over.workspace_id and p.document_id = over.id
       )
       update sales_documents d
       set stripped_at = null, reference = null,
         customer = '{"name": null, "phone": null, "email": null, "gstin": null, "billingAddress": null, "shippingAddress": null}'
       from over where d.workspace_id = over.workspace_id and d.id = over.id returning 1`,
      [today, max],
    )
  ).length
