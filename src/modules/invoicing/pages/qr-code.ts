import QRCode from 'qrcode'

/** The picture of a text that telephones read, as a data: address. */
export const qrPicture = (text: string): Promise<string> =>
  QRCode.toDataURL(text, { errorCorrectionLevel: 'M', margin: 1, width: 296 })
