/**
 * The two routes between a proxy and the cells of an installation (docs/cells.md): `GET /internal/route` tells a proxy which cell
 * a request is for, and `POST /internal/locate` tells another cell whether something belongs to this one. A public proxy must
 * not pass them on.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sameSecret } from '../../core/values/api-key.ts'
import { parseJsonBody } from '../wire/json-body.ts'
import { type Destination, LOCATOR_KINDS, type Locator, readDestination } from './locator.ts'

/** The cell in which something is, and the address at which a proxy reaches its processes. */
export type RoutedCell = { name: string; address: string }

export type CellRoutesOptions = {
  pageNames: readonly string[]
  sessionIn(cookies: string | undefined): string | undefined
  /** Returns the cell of a destination; undefined if no cell has an address. */
  findCell(destination: Destination): Promise<RoutedCell | undefined>
  /** Returns the cell that this process knows for a locator; null if it knows none. */
  locate(locator: Locator): Promise<string | null>
  /** The secret of the cells; undefined before the installation has a directory. */
  secret(): Promise<string | undefined>
  onError(error: unknown): void
}

/** The header with the secret of the cells. */
export const CELL_SECRET_HEADER = 'parley-cell-secret'
export const LOCATE_PATH = '/internal/locate'

const LocateBody = z.strictObject({ kind: z.enum(LOCATOR_KINDS), value: z.string().min(1).max(400) })

const NO_CELL =
  'No cell has an address. Set the address of its processes: parley cell set NAME --address http://HOST:PORT\n'

/** nginx passes the address on in a header that its configuration names; Caddy and Traefik use X-Forwarded-Uri. */
const addressOf = ({ headers }: FastifyRequest): string =>
  String(headers['x-original-uri'] ?? headers['x-forwarded-uri'] ?? '/')

export const cellRoutes =
  (options: CellRoutesOptions) =>
  (app: FastifyInstance): void => {
    app.get('/internal/route', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const destination = readDestination({ address: addressOf(request), headers: request.headers }, options)
      const cell = await options.findCell(destination)
      if (!cell) return reply.code(503).type('text/plain; charset=utf-8').send(NO_CELL)
      return reply
        .header('parley-cell', cell.name)
        .header('parley-cell-url', cell.address)
        .header('parley-cell-address', new URL(cell.address).host)
        .send({ cell: cell.name, url: cell.address })
    })

    app.post(LOCATE_PATH, { bodyLimit: 2_048 }, async (request, reply) => {
      const secret = await options.secret()
      const sent = request.headers[CELL_SECRET_HEADER]
      if (secret === undefined || typeof sent !== 'string' || !sameSecret(sent, secret))
        return reply.code(404).send({ error: 'not_found' })
      const body = LocateBody.safeParse(readBody(request.body))
      if (!body.success) return reply.code(400).send({ error: 'invalid', message: body.error.message })
      return reply.send({ cell: await options.locate(body.data) })
    })
  }

function readBody(body: unknown): unknown {
  try {
    return Buffer.isBuffer(body) ? parseJsonBody(body) : undefined
  } catch {
    return undefined
  }
}
