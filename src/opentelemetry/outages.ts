/** Watches the exports: an outage of the collector is reported when it starts and when it ends, and never in between. */
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { ExporterOptions } from './port.ts'
import type { Signal } from './settings.ts'

type Exporting = { export(items: never, done: (result: ExportResult) => void): void }

/** Returns a function that watches the exporter of a signal. */
export function watchOutages({ onOutage, onRecovery }: Pick<ExporterOptions, 'onOutage' | 'onRecovery'>) {
  const failing = new Set<Signal>()
  const note = (signal: Signal, { code, error }: ExportResult): void => {
    if (code === ExportResultCode.SUCCESS) {
      if (failing.delete(signal) && failing.size === 0) onRecovery()
      return
    }
    if (failing.size === 0) onOutage(signal, error ?? new Error('the export failed'))
    failing.add(signal)
  }
  return <Watched extends Exporting>(signal: Signal, exporter: Watched): Watched => {
    const send = exporter.export.bind(exporter)
    exporter.export = (items, done) =>
      send(items, (result) => {
        note(signal, result)
        done(result)
      })
    return exporter
  }
}
