/** Returns whether the value of a media header is the id of an uploaded file, and not a link. */
export const isUploaded = (value: string): boolean => /^\d+$/.test(value)
