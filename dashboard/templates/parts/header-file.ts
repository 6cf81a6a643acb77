/** Finds the file of a template's media header for its preview. */
import type { Template } from '../../../sdk/api.ts'
import { isUploaded, uploadedFile } from './uploaded.ts'

/** A file that the page can show. */
export type HeaderFile = { src: string; type: string }

/** Returns the sample of a template, of which Parley has a copy. */
export const sampleOf = (
  { id, sampleType }: Pick<Template, 'id' | 'sampleType'>,
  workspace: string,
): HeaderFile | undefined =>
  sampleType === null
    ? undefined
    : { src: `/api/dashboard/files/${id}?workspace=${workspace}`, type: sampleType }

/** Returns the file that was uploaded in this page; without a chosen file, the sample. */
export const chosenFile = (
  value: string | undefined,
  sample: HeaderFile | undefined,
): HeaderFile | undefined => (!value ? sample : isUploaded(value) ? uploadedFile(value) : undefined)
