/** An entry of the sandbox bank's ledger. */
export interface LedgerEntry {
  /** The service's id of the order. */
  readonly key: string | null
  readonly code: string
  readonly cents: string
}

type Act = "pay" | "return" | "review" | "close" | "customer"

/** The sandbox's bank, as its customers use it. The test does not kill it. */
export class BankDesk {
  readonly #url: string

  constructor(gatewayUrl: string) {
    this.#url = gatewayUrl
  }

  /** Null on success; otherwise the reason: the bank does not have the order yet, or the order has ended. */
  async act(what: Act, body: object): Promise<string | null> {
    const response = await fetch(`${this.#url}/bank/${what}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    const text = await response.text()
    return response.status === 200 ? null : text
  }

  async ledger(): Promise<ReadonlyArray<LedgerEntry>> {
    const response = await fetch(`${this.#url}/bank/ledger`)
    return ((await response.json()) as { readonly ledger: ReadonlyArray<LedgerEntry> }).ledger
  }
}
