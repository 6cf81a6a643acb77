/** Files that a method sends. */

/** A file: a Blob, a File, bytes, or a stream. The SDK reads a stream to its end before it sends the file. */
export type FileContent = Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>

/** A file with the other fields of its form. */
export type FileForm = {
  file: FileContent
  filename?: string
  mimeType?: string
  phoneNumberId?: string
}

async function blobOf(file: FileContent): Promise<Blob> {
  if (file instanceof Blob) return file
  if (file instanceof ReadableStream) return new Response(file).blob()
  return new Blob([file as Uint8Array<ArrayBuffer>])
}

/** Returns the form that sends a file. It can be sent again, because it contains no stream. */
export async function formOf({ file, ...fields }: FileForm): Promise<FormData> {
  const blob = await blobOf(file)
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value)
  // A part without a file name is no file, so a Blob without a name gets one.
  if (fields.filename !== undefined || !('name' in blob)) form.set('file', blob, fields.filename ?? 'file')
  else form.set('file', blob)
  return form
}
