import { routes } from '../../../core/endpoint.ts'
import { deleteMacro, getMacros, patchMacro, postMacro, postMacroRun } from './endpoints.ts'

export const macros = {
  endpoints: routes({
    'GET /macros': getMacros,
    'POST /macros': postMacro,
    'PATCH /macros/:id': patchMacro,
    'DELETE /macros/:id': deleteMacro,
    'POST /conversations/:id/run-macro': postMacroRun,
  }),
}
