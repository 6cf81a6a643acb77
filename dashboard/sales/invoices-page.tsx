import { SalesPage } from './parts/sales-page.tsx'

export default function InvoicesPage() {
  return <SalesPage noun="invoices" />
}
