import { useMutation } from '@tanstack/react-query'
import { callFile } from '../../api/request.ts'
import { saveFile } from '../../kit/save-file.ts'
import { notifyError } from '../../shell/notify-error.ts'
import type { Noun, SalesDocument } from '../queries.ts'
import { kindOf } from './status.tsx'

/** Saves the PDF of a document; `version` selects an earlier version. */
export function usePdf(noun: Noun, document: SalesDocument) {
  return useMutation({
    mutationFn: async (version: number | undefined) => {
      const options = { params: { id: document.id }, query: { format: 'pdf', version } as const }
      const file =
        noun === 'invoices'
          ? await callFile('GET /sales-invoices/{id}', options)
          : await callFile('GET /quotations/{id}', options)
      saveFile(`${(document.number ?? kindOf(document)).replaceAll('/', '-')}.pdf`, file)
    },
    onError: notifyError,
  })
}
