/** An entry of the sandbox bank's ledger. */
export interface LedgerEntry {
  /** Id of the order in the service. */
  readonly key: string | null
  readonly code: string
  readonly cents: string
}

type BankAction = "pay" | "return" | "review" | "close" | "customer"

/** Sends the requests of the bank's customers to the sandbox's bank, which the test does not kill. */
export class BankDesk {
  readonly #url: string

  constructor(gatewayUrl: string) {
    this.#url = gatewayUrl
  }

  /**
   * Requests an action of the bank. Null on success, otherwise the bank's error, for example because the order does not
   * exist at the bank yet.
   */
  async act(action: BankAction, body: object): Promise<string | null> {
    const response = await fetch(`${this.#url}/bank/${action}`, {
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
