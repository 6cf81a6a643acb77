/** The routes between a proxy and the cells of an installation. */
import { findCells } from '../adapters/cells.ts'
import type { Query } from '../core/context.ts'
import { onDatabase } from '../database/on-database.ts'
import { cellRoutes } from '../http/cells/cell-routes.ts'
import type { Plugin } from './keyless-routes.ts'
import { pagesOf } from './public-pages.ts'
import type { ServiceParts } from './server-parts.ts'

/** Reads the directory's own database, with a connection for each of its rare reads. */
const queryAt =
  (url: string): Query =>
  (text, values) =>
    onDatabase(url, async (client) => (await client.query(text, values as unknown[])).rows)

export function cellsPlugin(parts: ServiceParts): Plugin {
  const { config, database, log, site } = parts
  const pages = pagesOf(parts)
  return cellRoutes({
    ...findCells({
      ...parts,
      cell: config.cell,
      directoryQuery: config.directoryUrl === undefined ? database.query : queryAt(config.directoryUrl),
      pages,
      onError: (error) => log.warn({ err: error }, 'another cell could not be asked'),
    }),
    pageNames: pages.map(({ name }) => name),
    sessionIn: site.tokenIn,
  })
}
