/** Reads a list page by page, up to the limit of the user, and returns its rows as items. */
import type {
  DeclarativeRestApiSettings,
  IDataObject,
  IExecutePaginationFunctions,
  INodeExecutionData,
} from 'n8n-workflow'

type Pagination = (
  this: IExecutePaginationFunctions,
  request: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>

const ROWS_MAX = 100

/** The parameters of the next page; undefined after the last page. */
type Next = (page: IDataObject) => IDataObject | undefined

const reading = (items: string, size: string, next: Next): Pagination =>
  async function (request) {
    const most = Number(request.maxResults ?? Number.POSITIVE_INFINITY)
    const rows: INodeExecutionData[] = []
    // A page has the same size as the ones before it, because numbered pages depend on it.
    const rowsPerPage = Math.min(ROWS_MAX, most)
    for (let place: IDataObject | undefined = {}; place !== undefined && rows.length < most; ) {
      const qs: IDataObject = { ...request.options.qs, [size]: rowsPerPage, ...place }
      const [page] = await this.makeRoutingRequest({ ...request, options: { ...request.options, qs } })
      rows.push(...(page!.json[items] as IDataObject[]).map((json) => ({ json })))
      place = next(page!.json)
    }
    return rows.slice(0, most)
  }

/** @param items The field of the reply with the rows. */
export const byCursor = (items: string): Pagination =>
  reading(items, 'limit', ({ nextCursor }) => (nextCursor ? { cursor: nextCursor } : undefined))

/** @param items The field of the reply with the rows. */
export const byPage = (items: string): Pagination =>
  reading(items, 'pageSize', ({ page, pageSize, total }) =>
    Number(page) * Number(pageSize) < Number(total) ? { page: Number(page) + 1 } : undefined,
  )
