/** SQL for the PDF files of documents. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

/** `fingerprint`: a hash of the file's whole content. */
export type PdfKey = Pick<Selectable<Tables['salesDocumentPdfs']>, 'documentId' | 'version' | 'fingerprint'>

const selectPdf = (ctx: Context, { documentId, version, fingerprint }: PdfKey) =>
  db
    .selectFrom('salesDocumentPdfs')
    .where('workspaceId', '=', ctx.workspace.id)
    .where('documentId', '=', documentId)
    .where('version', '=', version)
    .where('fingerprint', '=', fingerprint)

export const findPdf = async (ctx: Context, key: PdfKey): Promise<Buffer | undefined> =>
  (await ctx.tx.first(selectPdf(ctx, key).select('bytes')))?.bytes

/**
 * Stores a file and replaces the previous one. Stores nothing if the document's customer is being erased: the
 * lock waits for the erasure, and then the document's customer is removed.
 */
export const upsertPdf = (
  ctx: Context,
  { documentId, version, fingerprint }: PdfKey,
  bytes: Buffer,
): Promise<unknown> =>
  ctx.tx.sql(
    `insert into sales_document_pdfs (workspace_id, document_id, version, fingerprint, bytes, created_at)
     select $1::uuid, id, $3::int4, $4::text, $5::bytea, $6::timestamptz from (
       select id from sales_documents where workspace_id = $1 and id = $2 and stripped_at is null for share
     ) document
     on conflict (workspace_id, document_id, version) do update
     set fingerprint = excluded.fingerprint, bytes = excluded.bytes, media_id = null, phone_number_id = null,
       created_at = excluded.created_at`,
    [ctx.workspace.id, documentId, version, fingerprint, bytes, ctx.now],
  )

/** Returns the operator's id of the file, if it was uploaded from this number. */
export const findPdfMedia = async (
  ctx: Context,
  key: PdfKey,
  phoneNumberId: string,
): Promise<string | undefined> =>
  (await ctx.tx.first(selectPdf(ctx, key).select('mediaId').where('phoneNumberId', '=', phoneNumberId)))
    ?.mediaId ?? undefined

export const updatePdfMedia = (
  ctx: Context,
  { documentId, version, fingerprint }: PdfKey,
  media: { mediaId: string; phoneNumberId: string },
): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('salesDocumentPdfs')
      .set(media)
      .where('workspaceId', '=', ctx.workspace.id)
      .where('documentId', '=', documentId)
      .where('version', '=', version)
      .where('fingerprint', '=', fingerprint),
  )
