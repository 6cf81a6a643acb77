import { useParams } from '@tanstack/react-router'
import { CostsPart } from './costs.tsx'
import { ModulesPart } from './modules.tsx'
import { PlanPart } from './plan.tsx'
import { RatesPart } from './rates.tsx'
import { WalletPart } from './wallet.tsx'

/** Shows the plan with its usage, the modules, the message costs, their rates, and the wallet that pays for them. */
export function PlanAndUsage() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  return (
    <>
      <PlanPart workspace={workspace} />
      <ModulesPart workspace={workspace} />
      <CostsPart />
      <RatesPart workspace={workspace} />
      <WalletPart workspace={workspace} />
    </>
  )
}
