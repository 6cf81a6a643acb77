/** Stores the customers of the sandbox phone in this browser. */
import { useState } from 'react'
import { readStored, writeStored } from '../api/storage.ts'

export type Customer = { phone: string; name: string }
type StoredCustomers = { customers: Customer[]; current: string }

const FIRST: Customer = { phone: '+919812345678', name: 'Asha Rao' }

/** Returns the customers of a workspace's phone, and the active one. */
export function useCustomers(workspace: string) {
  const name = `phone.${workspace}`
  const [stored, setStored] = useState<StoredCustomers>(
    () => readStored<StoredCustomers>(name) ?? { customers: [FIRST], current: FIRST.phone },
  )
  const storeCustomers = (next: StoredCustomers) => {
    setStored(next)
    writeStored(name, next)
  }
  return {
    customers: stored.customers,
    current: stored.customers.find(({ phone }) => phone === stored.current) ?? stored.customers[0] ?? FIRST,
    choose: (phone: string) => storeCustomers({ ...stored, current: phone }),
    add: (customer: Customer) =>
      storeCustomers({
        customers: [...stored.customers.filter(({ phone }) => phone !== customer.phone), customer],
        current: customer.phone,
      }),
  }
}
