/** Reads, starts, and cancels imports of past messages. */
import { queryOptions } from '@tanstack/react-query'
import type { DashboardApi } from '../../../../sdk/api.ts'
import { queryClient } from '../../../api/cache.ts'
import { callDashboard, readBase64, UPLOAD_TIMEOUT_MS } from '../../../api/request.ts'
import { saveFile } from '../../../kit/save-file.ts'
import { t } from './texts.ts'

export type HistoryImport = DashboardApi['GET /history-imports']['reply']['imports'][number]
type FileBody = DashboardApi['POST /history-imports/files']['body']
export type FileSource = FileBody['source']
export type FileChoices = Omit<FileBody, 'fileBase64' | 'filename' | 'dryRun'>

const MAX_BYTES = 64 * 1024 * 1024

export const historyImportsQuery = queryOptions({
  queryKey: ['import', 'list', 'history'],
  queryFn: async () => (await callDashboard('GET /history-imports')).imports,
})

const { queryKey } = historyImportsQuery

/** Shows the import as the server returned it, until the live stream reports its next state. */
function store(current: HistoryImport): HistoryImport {
  queryClient.setQueryData(queryKey, (imports) => [
    ...(imports?.some(({ id }) => id === current.id) ? [] : [current]),
    ...(imports ?? []).map((other) => (other.id === current.id ? current : other)),
  ])
  return current
}

/** Uploads a file and checks it: nothing is imported yet. */
export async function checkFile(file: File, choices: FileChoices): Promise<HistoryImport> {
  if (file.size > MAX_BYTES) throw new Error(t('file.tooBig'))
  const body = { ...choices, fileBase64: await readBase64(file), filename: file.name, dryRun: true }
  return store(
    (await callDashboard('POST /history-imports/files', { body, timeoutMs: UPLOAD_TIMEOUT_MS })).import,
  )
}

type ChatwootAccount = Omit<DashboardApi['POST /history-imports/chatwoot']['body'], 'dryRun'>

/** Reads an account of Chatwoot: nothing is imported yet. */
export const checkChatwoot = async (account: ChatwootAccount): Promise<HistoryImport> =>
  store(
    (await callDashboard('POST /history-imports/chatwoot', { body: { ...account, dryRun: true } })).import,
  )

export const startHistoryImport = async (id: string): Promise<HistoryImport> =>
  store((await callDashboard('POST /history-imports/{id}/start', { params: { id } })).import)

export const cancelHistoryImport = async (id: string): Promise<HistoryImport> =>
  store((await callDashboard('POST /history-imports/{id}/cancel', { params: { id } })).import)

/** Saves the records that were left out as a file through the browser. */
export async function downloadLeftOut(id: string): Promise<void> {
  const text = await callDashboard('GET /history-imports/{id}/left-out', { params: { id } })
  // The byte order mark makes spreadsheets read it as UTF-8.
  saveFile(t('leftOut.file.name'), new Blob(['\ufeff', text], { type: 'text/csv' }))
}
