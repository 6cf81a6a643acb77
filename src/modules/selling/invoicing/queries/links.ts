/** SQL for the links of documents. */
import type { Query } from '../../../../core/context.ts'
import type { DocumentKind } from '../schema.ts'
import type { DocumentRow } from './documents.ts'

type LinkedDocument = Pick<DocumentRow, 'workspaceId' | 'id'>

/** Returns the document of a link, in any workspace. */
export const findLinkedDocument = async (
  query: Query,
  token: string,
  kinds: readonly DocumentKind[],
): Promise<LinkedDocument | undefined> =>
  (
    await query<LinkedDocument>(
      'select workspace_id, id from sales_documents where public_token = $1 and kind = any($2::text[])',
      [token, kinds],
    )
  )[0]
