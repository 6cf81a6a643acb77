/** The port to PDF documents: plain data goes in, bytes come out. */

/**
 * pdfmake's input as plain data without functions. Texts may be in any script; a picture is a data: address.
 * A node with `headlineLevel` stays on one page with the next node.
 */
export type PdfNode = string | PdfNode[] | { [field: string]: PdfValue }
export type PdfValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | PdfValue[]
  | { [field: string]: PdfValue }

export type PdfDocument = {
  title: string
  author: string
  /** At the bottom of every page, next to its number. */
  footer: string
  content: PdfNode[]
  /** Across every page, in a light color. */
  watermark?: string | undefined
}

declare module '../core/context.ts' {
  interface Outside {
    /**
     * Lays out a document of a workspace in a separate thread. Rejects with `service_unavailable` if too many
     * wait, if it takes too long, or if it becomes too large. Omits pictures that must not be decoded.
     */
    renderPdf(workspaceId: string, document: PdfDocument): Promise<Buffer>
  }
}
