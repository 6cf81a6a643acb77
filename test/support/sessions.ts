/** Members of a workspace, with the requests of their dashboard pages. */
import { randomUUID } from 'node:crypto'
import type { Role } from '../../src/core/context.ts'
import { createSignInLink, signInPath } from '../../src/modules/platform/access/operations/sign-in-links.ts'
import { addMember } from '../../src/modules/platform/workspaces/operations/workspace-members.ts'
import type { Answered, CallOptions, Client, TestParley, TestWorkspace } from './boot.ts'

export const DASHBOARD = '/api/dashboard'

/**
 * A browser with a session, for `/api/dashboard/…` and for paths of the API. It keeps every cookie that an
 * answer sets.
 */
export type Browser = Client & {
  /** `name=token`, as it is sent; empty after an answer deleted the cookie. */
  cookie: string
  memberId: string
  put(path: string, body?: unknown, options?: CallOptions): Promise<Answered>
}

/** Returns the name and value of the cookie that an answer sets, or undefined. */
export const cookieIn = ({ headers }: Pick<Answered, 'headers'>): string | undefined =>
  [headers['set-cookie'] ?? []].flat()[0]?.split(';')[0]

/** Opens a browser at `parley`, with the cookie that it already has. */
export function browserOf(
  parley: TestParley,
  {
    workspaceId,
    memberId = '',
    cookie = '',
  }: { workspaceId?: string; memberId?: string; cookie?: string } = {},
): Browser {
  const call = async (method: string, path: string, body?: unknown, options: CallOptions = {}) => {
    const answer = await parley.anonymous.call(method, path, body, {
      ...options,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(browser.cookie ? { cookie: browser.cookie } : {}),
        ...(workspaceId ? { 'parley-workspace': workspaceId } : {}),
        ...options.headers,
      },
    })
    const set = cookieIn(answer)
    if (set !== undefined) browser.cookie = set.endsWith('=') ? '' : set
    return answer
  }
  const browser: Browser = {
    key: '',
    cookie,
    memberId,
    call,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    put: (path, body, options) => call('PUT', path, body, options),
    patch: (path, body, options) => call('PATCH', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options),
  }
  return browser
}

/** Opens a sign-in link of the member. */
export async function signInByLink(
  parley: TestParley,
  { workspaceId, memberId }: { workspaceId: string; memberId: string },
  now = new Date(),
): Promise<Browser> {
  const token = await parley.system((tx) => createSignInLink(tx, memberId, now))
  const browser = browserOf(parley, { workspaceId, memberId })
  const answer = await browser.get(`${parley.url}${signInPath(token)}`)
  if (answer.status !== 303) throw new Error(`the link answered ${answer.status}: ${answer.text}`)
  return browser
}

/** Creates a member with the role, signed in. */
export async function signIn(
  parley: TestParley,
  { workspaceId }: Pick<TestWorkspace, 'workspaceId'>,
  role: Role = 'admin',
  now = new Date(),
): Promise<Browser> {
  const email = `${randomUUID()}@example.com`
  const { memberId } = await parley.system((tx) =>
    addMember(tx, { workspaceId, email, name: `The ${role}`, role }, now),
  )
  return signInByLink(parley, { workspaceId, memberId }, now)
}
