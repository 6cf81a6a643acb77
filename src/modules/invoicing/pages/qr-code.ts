/** The picture of a text that telephones read, as a data: address. */
export async function qrPicture(text: string): Promise<string> {
  // Loaded with the first picture: most processes draw none.
  const { default: library } = await import('qrcode')
  return library.toDataURL(text, { errorCorrectionLevel: 'M', margin: 1, width: 296 })
}
