import { routes } from '../../../core/endpoint.ts'
import {
  getHistoryImports,
  getLeftOut,
  getOneHistoryImport,
  postChatwootImport,
  postHistoryCancel,
  postHistoryFile,
  postHistoryStart,
} from './endpoints.ts'
import { importHistory } from './jobs.ts'
import { historyImportsRetentionSource } from './work/history-imports-retention-source.ts'

export const historyImports = {
  dashboard: routes({
    'GET /history-imports': getHistoryImports,
    'POST /history-imports/chatwoot': postChatwootImport,
    'POST /history-imports/files': postHistoryFile,
    'GET /history-imports/:id': getOneHistoryImport,
    'POST /history-imports/:id/start': postHistoryStart,
    'POST /history-imports/:id/cancel': postHistoryCancel,
    'GET /history-imports/:id/left-out': getLeftOut,
  }),
  jobs: [importHistory],
  sources: {
    'history-imports-retention': historyImportsRetentionSource,
  },
}
