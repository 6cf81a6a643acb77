/** SQL for the PDF files of documents. */
import type { Context } from '../../../../core/context.ts'

/** `fingerprint`: a hash of the file's whole content. */
export type PdfKey = { documentId: string; version: number; fingerprint: string }

export const findPdf = async (
  ctx: Context,
  { documentId, version, fingerprint }: PdfKey,
): Promise<Buffer | undefined> =>
  (
    await ctx.tx.sql<{ bytes: Buffer }>(
      `select bytes from sales_document_pdfs
       where workspace_id = $1 and document_id = $2 and version = $3 and fingerprint = $4`,
      [ctx.workspace.id, documentId, version, fingerprint],
    )
  )[0]?.bytes

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
    `with document as (
       select id from sales_documents where workspace_id = $1 and id = $2 and stripped_at is null for share
     )
     insert into sales_document_pdfs (workspace_id, document_id, version, fingerprint, bytes, created_at)
     select $1::uuid, id, $3::int4, $4::text, $5::bytea, $6::timestamptz from document
     on conflict (workspace_id, document_id, version) do update
     set fingerprint = excluded.fingerprint, bytes = excluded.bytes, media_id = null, phone_number_id = null,
       created_at = excluded.created_at`,
    [ctx.workspace.id, documentId, version, fingerprint, bytes, ctx.now],
  )

/** Returns the operator's id of the file, if it was uploaded from this number. */
export const findPdfMedia = async (
  ctx: Context,
  { documentId, version, fingerprint }: PdfKey,
  phoneNumberId: string,
): Promise<string | undefined> =>
  (
    await ctx.tx.sql<{ mediaId: string }>(
      `select media_id from sales_document_pdfs
       where workspace_id = $1 and document_id = $2 and version = $3 and fingerprint = $4 and phone_number_id = $5`,
      [ctx.workspace.id, documentId, version, fingerprint, phoneNumberId],
    )
  )[0]?.mediaId

export const updatePdfMedia = (
  ctx: Context,
  { documentId, version, fingerprint }: PdfKey,
  media: { mediaId: string; phoneNumberId: string },
): Promise<unknown> =>
  ctx.tx.sql(
    `update sales_document_pdfs set media_id = $5, phone_number_id = $6
     where workspace_id = $1 and document_id = $2 and version = $3 and fingerprint = $4`,
    [ctx.workspace.id, documentId, version, fingerprint, media.mediaId, media.phoneNumberId],
  )
