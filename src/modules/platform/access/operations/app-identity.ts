/**
 * Apps as they name themselves: registered here, by an id that holds what they said (RFC 7591), or published by them at an https
 * address, which is then their id (docs/decisions/assistants.md "Apps that connect in a browser").
 */
import type { Outside } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { isObject, shortTextOrNull } from '../../../../core/values/storable.ts'

/** `publishedBy` is the host of an app that publishes what it says about itself. */
export type App = { clientId: string; name: string; redirectUris: string[]; publishedBy: string | null }

const ID_PREFIX = 'app_'
/** With it, the address of a request stays short enough for every browser and proxy. */
const MAX_ID_LENGTH = 2_048
const MAX_NAME_LENGTH = 100
const MAX_URI_LENGTH = 1_000
const MAX_URIS = 10
const MAX_DOCUMENT_BYTES = 64 * 1024

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/
/** Addresses that a browser runs or shows itself, instead of opening an app. */
const NO_APP = /^(?:javascript|vbscript|data|blob|file|filesystem|about|view-source|ftp|wss?):$/

/** Whether a browser may be sent to this address: https, http to the own machine, or the scheme of an installed app. */
export function isRedirectUri(text: string): boolean {
  if (text.length > MAX_URI_LENGTH || /[\s\\\p{C}]/u.test(text)) return false
  const url = URL.parse(text)
  if (url === null || text.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return LOOPBACK.test(url.hostname)
  return !NO_APP.test(url.protocol) && /^[a-z][a-z0-9+.-]*:\//i.test(text)
}

/** The port of the own machine is chosen when a program starts (RFC 8252 section 7.3). */
function withoutLoopbackPort(text: string): string {
  const url = new URL(text)
  if (url.protocol === 'http:' && LOOPBACK.test(url.hostname)) url.port = ''
  return url.href
}

export const acceptsRedirect = ({ redirectUris }: App, uri: string): boolean =>
  isRedirectUri(uri) &&
  redirectUris.some((own) => own === uri || withoutLoopbackPort(own) === withoutLoopbackPort(uri))

/** Returns who receives the answer, as a person reads it: the host of a site, or the scheme of an installed app. */
export function receiverOf(uri: string): string {
  const url = new URL(uri)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : url.protocol
}

type Described = Omit<App, 'clientId' | 'publishedBy'>

/** Invisible characters and changes of direction could make a name look like another. */
const plainName = (name: unknown): string | null =>
  shortTextOrNull(
    typeof name === 'string' ? name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim() : '',
    MAX_NAME_LENGTH,
  )

/** Reads what an app says about itself. Returns the name of the wrong field. */
function describedIn(document: unknown): Described | 'redirect_uris' | 'client_name' {
  if (!isObject(document)) return 'redirect_uris'
  const uris = document.redirect_uris
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_URIS) return 'redirect_uris'
  if (!uris.every((uri): uri is string => typeof uri === 'string' && isRedirectUri(uri)))
    return 'redirect_uris'
  if (document.client_name !== undefined && typeof document.client_name !== 'string') return 'client_name'
  return { name: plainName(document.client_name) ?? receiverOf(uris[0]!), redirectUris: uris }
}

/** Registers an app: its id holds its name and addresses, sealed, so nothing is stored. Returns the name of the wrong field. */
export function registerApp(
  sealer: Pick<Sealer, 'seal'>,
  document: unknown,
): App | 'redirect_uris' | 'client_name' {
  const described = describedIn(document)
  if (typeof described === 'string') return described
  const { name, redirectUris } = described
  const clientId =
    ID_PREFIX + sealer.seal(JSON.stringify({ app: name, uris: redirectUris })).toString('base64url')
  return clientId.length > MAX_ID_LENGTH
    ? 'redirect_uris'
    : { clientId, name, redirectUris, publishedBy: null }
}

function registered(sealer: Pick<Sealer, 'open'>, clientId: string): App | undefined {
  try {
    const content: unknown = JSON.parse(
      sealer.open(Buffer.from(clientId.slice(ID_PREFIX.length), 'base64url')),
    )
    // Other texts are sealed with the same key.
    if (!isObject(content) || typeof content.app !== 'string' || !Array.isArray(content.uris))
      return undefined
    return { clientId, name: content.app, redirectUris: content.uris as string[], publishedBy: null }
  } catch {
    return undefined
  }
}

/** Returns the address of an app that publishes itself; undefined if the id is no such address. */
function publishedAt(clientId: string): URL | undefined {
  const url = URL.parse(clientId)
  if (url?.protocol !== 'https:' || url.pathname === '/' || url.hash !== '') return undefined
  return url.username === '' && url.password === '' && url.href === clientId ? url : undefined
}

async function published(outside: Outside, url: URL): Promise<App | undefined> {
  let document: unknown
  try {
    const { bytes } = await outside.fetchFile(url.href, { field: 'client_id', maxBytes: MAX_DOCUMENT_BYTES })
    document = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    if (error instanceof Refusal || error instanceof SyntaxError) return undefined
    throw error
  }
  // Otherwise the document of another app would do.
  if (!isObject(document) || document.client_id !== url.href) return undefined
  const described = describedIn(document)
  return typeof described === 'string'
    ? undefined
    : { ...described, clientId: url.href, publishedBy: url.host }
}

/** Returns the app with this id; undefined if it isn't registered here, and doesn't publish itself at the address. */
export async function findApp(
  { sealer, outside }: { sealer: Pick<Sealer, 'open'>; outside: Outside },
  clientId: string,
): Promise<App | undefined> {
  if (clientId.length > MAX_ID_LENGTH) return undefined
  if (clientId.startsWith(ID_PREFIX)) return registered(sealer, clientId)
  const url = publishedAt(clientId)
  return url && published(outside, url)
}
