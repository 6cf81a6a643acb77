import { MessagesResource, Resources, WebhooksResource } from './generated/resources.ts'
import type { ParleyOptions, RequestOptions } from './options.ts'
import { ReplyPromise } from './reply-promise.ts'
import { createTransport } from './transport.ts'
import { verifyWebhook } from './webhook.ts'

class MessagesWithFiles extends MessagesResource {
  /**
   * Downloads the file of a message: a photo, a document, or a voice note.
   *
   * @param id Id of the message.
   */
  downloadMedia(id: string, options?: RequestOptions): ReplyPromise<Blob> {
    const download = async () => {
      const { url } = await this.getMedia(id, options)
      return this.transport.download(url, options)
    }
    return new ReplyPromise(download())
  }
}

class WebhooksWithVerify extends WebhooksResource {
  /** Verifies a delivery: see `verifyWebhook`, which needs no client. */
  readonly verify = verifyWebhook
}

/**
 * A client of an installation of Parley.
 *
 * @example
 * const parley = new Parley({ baseUrl: 'https://parley.example.com', apiKey: 'par_...' })
 * await parley.messages.send({ to: '+919812345678', type: 'text', text: 'Hello' })
 */
export class Parley extends Resources {
  override readonly messages: MessagesWithFiles
  override readonly webhooks: WebhooksWithVerify

  constructor(options: ParleyOptions = {}) {
    const transport = createTransport(options)
    super(transport)
    this.messages = new MessagesWithFiles(transport)
    this.webhooks = new WebhooksWithVerify(transport)
  }
}
