/** Files: from n8n's binary data to an upload, and from a reply to binary data. */
import type {
  IDataObject,
  IN8nHttpFullResponse,
  INodeExecutionData,
  PostReceiveAction,
  PreSendAction,
} from 'n8n-workflow'
import { NodeApiError } from 'n8n-workflow'
import { textOf } from '../../text-of.ts'

/** Sends the file of the input in base64, with its name and media type. A name in the fields wins. */
export const withFile = (field: string): PreSendAction =>
  async function (request) {
    const name = String(this.getNodeParameter('binaryPropertyName', 'data'))
    const { mimeType, fileName } = this.helpers.assertBinaryData(name)
    const bytes = await this.helpers.getBinaryDataBuffer(name)
    const given = { mimeType, ...(fileName ? { filename: fileName } : {}) }
    return {
      ...request,
      body: { ...given, ...(request.body as IDataObject), [field]: bytes.toString('base64') },
    }
  }

/** Returns the file name of a reply: `attachment; filename="INV-1.pdf"`. */
function filenameOf({ headers }: IN8nHttpFullResponse): string | undefined {
  const parts = textOf(headers['content-disposition']).split(';')
  const part = parts.find((text) => text.trim().startsWith('filename='))
  return part?.split('=')[1]?.replaceAll('"', '').trim()
}

const typeOf = ({ headers }: IN8nHttpFullResponse): string | undefined =>
  textOf(headers['content-type']).split(';')[0] || undefined

/** Puts the file of the reply into the output field. */
export const toFile: PostReceiveAction = async function (_items, response) {
  const name = String(this.getNodeParameter('binaryPropertyName', 'data'))
  const bytes = Buffer.from(response.body as ArrayBuffer)
  const file = await this.helpers.prepareBinaryData(bytes, filenameOf(response), typeOf(response))
  return [{ json: {}, binary: { [name]: file } }]
}

/** Follows the link of the reply, and puts the file into the output field. The link needs no key. */
export const downloadLink: PostReceiveAction = async function (items) {
  const name = String(this.getNodeParameter('binaryPropertyName', 'data'))
  const results: INodeExecutionData[] = []
  for (const { json } of items) {
    const response = (await this.helpers.httpRequest({
      method: 'GET',
      url: String(json.url),
      encoding: 'arraybuffer',
      json: false,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
    })) as IN8nHttpFullResponse
    if (response.statusCode !== 200)
      throw new NodeApiError(
        this.getNode(),
        {},
        {
          message: `The file can't be downloaded: Parley answered ${response.statusCode}.`,
          itemIndex: this.getItemIndex(),
        },
      )
    const { url: _, expiresAt: __, ...details } = json
    const bytes = Buffer.from(response.body as ArrayBuffer)
    const file = await this.helpers.prepareBinaryData(bytes, String(json.filename), String(json.mimeType))
    results.push({ json: details, binary: { [name]: file } })
  }
  return results
}
