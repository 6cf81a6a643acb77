import { routes } from '../../../core/endpoint.ts'
import {
  deleteOneImport,
  getImports,
  getOneImport,
  getRefusedRows,
  patchImport,
  postImport,
  postImportPreview,
} from './endpoints.ts'
import { importFileRows } from './jobs.ts'
import { importsRetentionSource } from './work/imports-retention-source.ts'

export const imports = {
  dashboard: routes({
    'GET /imports': getImports,
    'POST /imports': postImport,
    'GET /imports/:id': getOneImport,
    'PATCH /imports/:id': patchImport,
    'DELETE /imports/:id': deleteOneImport,
    'POST /imports/:id/preview': postImportPreview,
    'GET /imports/:id/refused': getRefusedRows,
  }),
  jobs: [importFileRows],
  sources: {
    'imports-retention': importsRetentionSource,
  },
}
