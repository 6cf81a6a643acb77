/** Returns the QR code of a text as a data: address. */
export async function qrPicture(text: string): Promise<string> {
  // Loaded with the first picture, because most processes never draw one.
  const { default: library } = await import('qrcode')
  return library.toDataURL(text, { errorCorrectionLevel: 'M', margin: 1, width: 296 })
}
