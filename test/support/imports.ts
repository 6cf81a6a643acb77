/** Imports, started as the dashboard starts them, for services that run in their own process. */
import type { Tx } from '../../src/core/context.ts'
import { createSignInLink, signInPath } from '../../src/modules/platform/access/operations/sign-in-links.ts'
import type { CreatedWorkspace } from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import { clientOf } from './boot.ts'
import { cookieIn } from './sessions.ts'

type Platform = { system<T>(work: (tx: Tx) => Promise<T>): Promise<T> }
type Uploaded = { id: string; path: string; headers: Record<string, string> }

/** The headers that the owner's pages send with each request. */
export async function ownerHeaders(
  admin: Platform,
  url: string,
  { workspaceId, ownerId }: Pick<CreatedWorkspace, 'workspaceId' | 'ownerId'>,
): Promise<Record<string, string>> {
  const link = await admin.system((tx) => createSignInLink(tx, ownerId, new Date()))
  const signedIn = await clientOf(url, '').get(`${url}${signInPath(link)}`)
  return { cookie: cookieIn(signedIn)!, 'parley-workspace': workspaceId, 'sec-fetch-site': 'same-origin' }
}

/** Uploads a file of leads, one for each number, and imports it with the guessed mapping. */
export async function importLeads(
  url: string,
  headers: Record<string, string>,
  phones: string[],
): Promise<Uploaded> {
  const client = clientOf(url, '')
  const imports = '/api/dashboard/imports'
  const lines = phones.map((phone, n) => `${phone},Person ${n}\n`)
  const file = {
    filename: 'people.csv',
    fileBase64: Buffer.from(`phone,name\n${lines.join('')}`).toString('base64'),
  }
  const uploaded = await client.post(imports, file, { headers })
  if (uploaded.status !== 201) throw new Error(`the file was answered ${uploaded.status}: ${uploaded.text}`)
  const { id, guess } = uploaded.body.import
  const path = `${imports}/${id}`
  const started = await client.patch(path, { kind: 'leads', mapping: guess.leads }, { headers })
  if (started.status !== 200) throw new Error(`the import was answered ${started.status}: ${started.text}`)
  return { id, path, headers }
}
