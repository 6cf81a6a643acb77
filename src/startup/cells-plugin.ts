/** The routes between a proxy and the cells of an installation. */
import { destinationOfToken } from '../adapters/app-tokens.ts'
import { findCells, postForm } from '../adapters/cells.ts'
import type { Query } from '../core/context.ts'
import { onDatabase } from '../database/on-database.ts'
import { cellRoutes } from '../http/cells/cell-routes.ts'
import type { OAuthOptions } from '../http/oauth/oauth-routes.ts'
import type { Plugin } from './keyless-routes.ts'
import { pagesOf } from './public-pages.ts'
import type { ServiceParts } from './server-parts.ts'

/** Reads the directory's own database, with a connection for each of its rare reads. */
const queryAt =
  (url: string): Query =>
  (text, values) =>
    onDatabase(url, async (client) => (await client.query(text, values as unknown[])).rows)

type Cells = ReturnType<typeof findCells>

function cellsOf(parts: ServiceParts): Cells {
  const { config, database, log } = parts
  return findCells({
    ...parts,
    cell: config.cell,
    directoryQuery: config.directoryUrl === undefined ? database.query : queryAt(config.directoryUrl),
    pages: pagesOf(parts),
    onError: (error) => log.warn({ err: error }, 'another cell could not be asked'),
  })
}

export const cellsPlugin = (parts: ServiceParts): Plugin =>
  cellRoutes({
    ...cellsOf(parts),
    pageNames: pagesOf(parts).map(({ name }) => name),
    sessionIn: parts.site.tokenIn,
  })

/** Sends forms about tokens of apps to the cell that has the token: a proxy can't read the token in a body. */
export function tokenForwarder(parts: ServiceParts): OAuthOptions['forward'] {
  const { findCell } = cellsOf(parts)
  return async (token, path, form) => {
    const destination = destinationOfToken(token)
    const cell = destination && (await findCell(destination))
    return cell && cell.name !== parts.config.cell ? postForm(cell, path, form) : undefined
  }
}
