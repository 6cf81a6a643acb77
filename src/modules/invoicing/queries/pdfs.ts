/** Every statement on the PDF files of documents. */
import type { Context } from '../../../core/context.ts'

/** `fingerprint` is of all that the file says. */
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
 * Keeps a file in place of the one before. Of a document whose customer is being erased nothing is kept: the lock waits for
 * that, and then finds it stripped.
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

/** What the operator knows the file by, where it was given to them from this number. */
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
