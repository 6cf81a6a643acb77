/** A new automation, from a recipe or from nothing. */
import type { Automation } from '../../../sdk/api.ts'
import type { Here } from '../../api/session.ts'
import { Callout } from '../../kit/callout.tsx'
import { SkeletonRows } from '../../kit/states.tsx'
import { draftOf, emptyDraft } from '../draft.ts'
import { RECIPES } from '../recipes.ts'
import { useKnown } from '../use-known.ts'
import { t } from '../words.ts'
import { Builder } from './builder.tsx'

type Props = {
  recipe: string | undefined
  workspace: Here['workspace']
  onSaved: (automation: Automation, secret: string | null) => void
}

export function NewAutomation({ recipe, workspace, onSaved }: Props) {
  const known = useKnown()
  const chosen = RECIPES.find(({ id }) => id === recipe)
  if (!known) return <SkeletonRows />
  return (
    <>
      {chosen?.needs && (
        <div className="mb-4">
          <Callout>{t('recipe.first', { need: t(`recipe.needs.${chosen.needs}`) })}</Callout>
        </div>
      )}
      <Builder
        key={recipe}
        first={chosen ? draftOf(chosen.body) : emptyDraft()}
        known={known}
        workspace={workspace}
        onSaved={onSaved}
      />
    </>
  )
}
