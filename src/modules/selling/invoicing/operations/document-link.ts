/** The link where a customer reads a document. */
import type { Context, Query } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newLinkToken } from '../../../../core/values/link-token.ts'
import { type DocumentRow, updateDocumentRow } from '../queries/documents.ts'
import { findLinkedDocument } from '../queries/links.ts'
import type { DocumentKind } from '../schema.ts'
import { holdDocument } from './find-document.ts'
import { linkOf } from './present.ts'

/** Returns the document of a link. */
export const findLinked = (
  query: Query,
  token: string,
  kinds: readonly DocumentKind[],
): Promise<{ workspaceId: string; id: string } | undefined> => findLinkedDocument(query, token, kinds)

/** Returns the link of a document that may be sent. */
export function linkToSend(ctx: Context, document: DocumentRow): string {
  if (document.status === 'draft') refuse('conflict', "A draft can't be sent. Issue it first.")
  return linkOf(ctx, document) ?? refuse('conflict', "The customer was erased. The document can't be sent.")
}

/** Replaces the link of an issued document. The previous link stops working. */
export async function replaceLink(
  ctx: Context,
  id: string,
  kinds: readonly DocumentKind[],
): Promise<DocumentRow> {
  const { document } = await holdDocument(ctx, id, kinds)
  if (document.status === 'draft') refuse('conflict', 'A draft has no link. Issue it first.')
  if (document.strippedAt !== null)
    refuse('conflict', 'The customer was erased. The document has no link anymore.')
  touch(ctx, { salesDocument: document.id })
  return updateDocumentRow(ctx, document.id, { publicToken: newLinkToken() })
}
