/** Returns whether the value of a media header is the id of an uploaded file, and not a link. */
export const isUploaded = (value: string): boolean => /^\d+$/.test(value)

/** The files uploaded in this page, by the id that they got. */
const files = new Map<string, { name: string; src: string; type: string }>()

/** Remembers an uploaded file, so that its name and its preview can be shown. */
export function rememberFile(id: string, file: File): void {
  files.set(id, { name: file.name, src: URL.createObjectURL(file), type: file.type })
}

/** Returns a file that was uploaded in this page. */
export const uploadedFile = (id: string) => files.get(id)
