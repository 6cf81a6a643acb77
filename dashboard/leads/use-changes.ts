/** Changes leads in lists, with undo; a lead that no longer matches the list stays visible. */
import { useCallback, useEffect, useState } from 'react'
import type { Lead } from '../../sdk/api.ts'
import { notify } from '../kit/toasts.tsx'
import { notifyError } from '../shell/notify-error.ts'
import { changeLead, type LeadPatch, matchesSelection, refreshLead } from './queries.ts'
import { t } from './texts.ts'
import type { LeadSelection } from './view.ts'

/** A lead that no longer matches the list, and its undo. */
export type RemovedLead = { lead: Lead; undo: () => void }
export type Change = (lead: Lead, patch: LeadPatch, notice: string) => Promise<void>

/** Returns the values of a lead that a patch replaces. */
export function previousValues(lead: Lead, patch: LeadPatch): LeadPatch {
  const { stage: _, owner: __, lostReason: ___, ...plain } = patch
  return {
    ...Object.fromEntries(Object.keys(plain).map((key) => [key, lead[key as keyof Lead]])),
    ...(patch.owner !== undefined && { owner: lead.owner?.id ?? null }),
    ...(patch.stage !== undefined && { stage: lead.stage.id }),
    ...((patch.stage ?? patch.lostReason) !== undefined &&
      lead.lostReason && { lostReason: lead.lostReason.id }),
  }
}

/** Changes a lead, shows a notice, and offers undo. */
export async function changeLeadWithUndo(
  lead: Lead,
  patch: LeadPatch,
  notice: string,
): Promise<Lead | undefined> {
  const undo = previousValues(lead, patch)
  try {
    const changed = await changeLead(lead, patch)
    refreshLead(lead.id)
    const run = () =>
      void changeLead(changed, undo)
        .then(() => refreshLead(lead.id))
        .catch(notifyError)
    notify({ title: notice, kind: 'good', action: { label: t('undo'), run } })
    return changed
  } catch (error) {
    notifyError(error)
    return undefined
  }
}

type LeadChange = readonly [Lead, LeadPatch]

/**
 * Applies changes in turn, as the rate limits allow, and stops at the first error. Returns the changes that were applied, with
 * their undo.
 */
async function applyAll(changes: readonly LeadChange[]): Promise<LeadChange[]> {
  const undo: LeadChange[] = []
  try {
    for (const [lead, patch] of changes)
      undo.push([await changeLead(lead, patch), previousValues(lead, patch)])
  } catch (error) {
    notifyError(error)
  }
  for (const [{ id }] of undo) refreshLead(id)
  return undo
}

/** Changes several leads, and offers to undo all changes. `patchOf` returns undefined for a lead that stays as it is. */
export async function changeLeadsWithUndo(
  leads: readonly Lead[],
  patchOf: (lead: Lead) => LeadPatch | undefined,
): Promise<void> {
  const undo = await applyAll(
    leads.flatMap((lead): LeadChange[] => {
      const patch = patchOf(lead)
      return patch ? [[lead, patch]] : []
    }),
  )
  notify({
    title: t('bulk.done', { count: undo.length }),
    kind: 'good',
    ...(undo.length > 0 && { action: { label: t('undo'), run: () => void applyAll(undo) } }),
  })
}

/** Handles changes of leads in a list of `selection`. */
export function useChanges(selection: LeadSelection, isNarrowed: boolean) {
  const [removedLeads, setGoneLeads] = useState<ReadonlyMap<string, RemovedLead>>(new Map())
  const key = JSON.stringify(selection)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list starts empty
  useEffect(() => setGoneLeads(new Map()), [key])
  const forget = useCallback((id: string) => {
    setGoneLeads((before) => new Map([...before].filter(([leadId]) => leadId !== id)))
  }, [])
  const changeHere: Change = async (lead, patch, notice) => {
    const previousPatch = previousValues(lead, patch)
    try {
      const changed = await changeLead(lead, patch)
      const undo = () => {
        forget(lead.id)
        void changeLead(changed, previousPatch)
          .then(() => refreshLead(lead.id))
          .catch(notifyError)
      }
      notify({ title: notice, kind: 'good', action: { label: t('undo'), run: undo } })
      if (isNarrowed && !(await matchesSelection(lead.id, selection)))
        setGoneLeads((before) => new Map(before).set(lead.id, { lead: changed, undo }))
      else forget(lead.id)
      refreshLead(lead.id)
    } catch (error) {
      notifyError(error)
    }
  }
  return { removedLeads, change: changeHere }
}
