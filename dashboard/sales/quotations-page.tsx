import { SalesPage } from './parts/sales-page.tsx'

export default function QuotationsPage() {
  return <SalesPage noun="quotations" />
}
