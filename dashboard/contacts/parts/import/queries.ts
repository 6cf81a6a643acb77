/** Reads and writes imports. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { DashboardApi } from '../../../../sdk/api.ts'
import { queryClient } from '../../../api/cache.ts'
import { callDashboard, readBase64, UPLOAD_TIMEOUT_MS } from '../../../api/request.ts'
import { t } from './texts.ts'

export type Import = DashboardApi['GET /imports/{id}']['reply']['import']
export type ImportInList = DashboardApi['GET /imports']['reply']['imports'][number]
export type Kind = NonNullable<Import['kind']>
export type Start = DashboardApi['PATCH /imports/{id}']['body']
export type PreviewBody = DashboardApi['POST /imports/{id}/preview']['body']
export type Preview = DashboardApi['POST /imports/{id}/preview']['reply']['preview']

const MAX_BYTES = 16 * 1024 * 1024

export const importsQuery = queryOptions({
  queryKey: ['import', 'list'],
  queryFn: async () => (await callDashboard('GET /imports')).imports,
})

export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['import', 'one', id],
    queryFn: async () => (await callDashboard('GET /imports/{id}', { params: { id } })).import,
  })

/** Reads the first rows with the page's choices; shows the previous rows until the new ones arrive. */
export const previewQuery = (id: string, body: PreviewBody) =>
  queryOptions({
    queryKey: ['import', 'preview', id, body],
    queryFn: async ({ signal }) =>
      (await callDashboard('POST /imports/{id}/preview', { params: { id }, body, signal })).preview,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

/** Reads the lists with imported items again, once the import has ended. */
export const refreshImported = (): void => {
  for (const kind of ['contact', 'lead', 'tag']) void queryClient.invalidateQueries({ queryKey: [kind] })
}

const store = (importJob: Import): Import => {
  queryClient.setQueryData(importQuery(importJob.id).queryKey, importJob)
  void queryClient.invalidateQueries({ queryKey: importsQuery.queryKey })
  return importJob
}

export type Upload = { file: File; encoding: string | null }

export async function uploadImport({ file, encoding }: Upload): Promise<Import> {
  if (file.size > MAX_BYTES) throw new Error(t('tooBig', { name: file.name }))
  const fileBase64 = await readBase64(file)
  const body = { fileBase64, filename: file.name, ...(encoding === null ? {} : { encoding }) }
  return store((await callDashboard('POST /imports', { body, timeoutMs: UPLOAD_TIMEOUT_MS })).import)
}

export const startImport = async (id: string, body: Start): Promise<Import> =>
  store((await callDashboard('PATCH /imports/{id}', { params: { id }, body })).import)

export async function deleteImport(id: string): Promise<void> {
  await callDashboard('DELETE /imports/{id}', { params: { id } })
  void queryClient.invalidateQueries({ queryKey: importsQuery.queryKey })
}

/** Saves the rejected rows as a file through the browser. */
export async function downloadRefused({ id, filename }: Pick<Import, 'id' | 'filename'>): Promise<void> {
  const text = await callDashboard('GET /imports/{id}/refused', { params: { id } })
  const link = document.createElement('a')
  // The byte order mark makes spreadsheets read it as UTF-8.
  link.href = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv' }))
  link.download = `${filename.replace(/\.[^.]*$/, '')} refused.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href))
}
