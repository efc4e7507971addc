import type { Hex } from "viem"
import { keccak256, parseUnits, toHex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { signOperations } from "../support/sign.ts"
import type { Journal } from "./Journal.ts"
import { type Operation, type OperationMix, quoteOf, randomOperation, type SignableQuote } from "./operations.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import type { ServiceClient } from "./ServiceClient.ts"

/** Events after which a kill may be timed, such as a sent request, a received response, or a started server. */
export type Moment = "register" | "quote" | "order" | "execute" | "executed" | "bank" | "started"

export interface ClientOptions {
  readonly name: string
  readonly service: ServiceClient
  readonly factories: readonly [Factory, ...ReadonlyArray<Factory>]
  readonly random: SeededRandom
  readonly mix: OperationMix
  readonly journal: Journal
  readonly fund: (address: string) => Promise<void>
  readonly onMoment: (moment: Moment) => void
}

export interface Factory {
  readonly factory: string
  readonly eip7702: boolean
}

interface Wallet {
  readonly address: string
  readonly privateKey: Hex
}

const MAX_ATTEMPTS = 200
/** Probability that a client gives up on an execution whose response was lost. */
const ABANDON_PROBABILITY = 0.3
/** Probability that an operation uses a new wallet. */
const REGISTER_PROBABILITY = 0.15
/** Probability that a client sends an execution twice concurrently. */
const REPEAT_PROBABILITY = 0.15
/** Probability that the client does not sign a quote. */
const LEAVE_PROBABILITY = 0.15

/** Returns the expected payments. The quote states the amount that arrives on the other chain. */
const paymentsOf = ({ payments, receiver }: Operation, { minAmountOut = "0" }: SignableQuote) =>
  receiver === undefined ? payments : new Map([[receiver, parseUnits(minAmountOut, 6)]])

/**
 * Simulates a client that registers wallets, quotes, signs and executes. It retries requests whose response was lost.
 */
export class Client {
  readonly #options: ClientOptions
  readonly #wallets: Array<Wallet> = []
  #keys = 0
  #operations = 0

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Runs one operation, from the choice of a wallet to the acceptance, or until the client gives up. */
  async operate(): Promise<void> {
    const { random } = this.#options
    const knownWallet = this.#wallets[random.below(this.#wallets.length)]
    const isNew = knownWallet === undefined || random.fraction() < REGISTER_PROBABILITY
    const wallet = isNew ? await this.#register() : knownWallet
    const quote = await this.#quote(wallet)
    if (quote === null || random.fraction() < LEAVE_PROBABILITY) return
    const executeOnce = () => this.#execute(wallet, quote)
    await (random.fraction() < REPEAT_PROBABILITY ? Promise.all([executeOnce(), executeOnce()]) : executeOnce())
    // A new wallet is used again only after its deployment, because only one of two operations that both deploy an
    // account can succeed.
    if (isNew && (await this.#isDeployedSoon(wallet))) this.#wallets.push(wallet)
  }

  async #register(): Promise<Wallet> {
    const { factories, fund, journal, name, onMoment, random } = this.#options
    const privateKey = keccak256(toHex(`${name} ${this.#keys++}`))
    const { factory, eip7702 } = random.pick(factories)
    const owner = privateKeyToAccount(privateKey).address.toLowerCase()
    const body = { externallyOwnedAccount: owner, factory, eip7702 }
    onMoment("register")
    const { body: response, status } = await this.#options.service.untilSuccessful("/api/v1/wallets/register", body)
    // If an earlier attempt succeeded but its response was lost, the error message contains the address.
    const address = status === 201 ? response.wallet.walletAddress : /0x[0-9a-f]{40}/u.exec(response.message)?.[0]
    if (status !== 201 && response.id !== "WALLET_ALREADY_REGISTERED") {
      throw new Error(`register: ${status} ${JSON.stringify(response)}`)
    }
    journal.registered(address)
    await fund(address)
    return { address, privateKey }
  }

  async #quote(wallet: Wallet): Promise<SignableQuote | null> {
    const { journal, mix, name, onMoment, random, service } = this.#options
    const operation = randomOperation(random, wallet.address, `${name} ${this.#operations++}`, mix)
    onMoment("quote")
    const { body, status } = await service.untilSuccessful(operation.path, operation.body)
    if (status !== 200) {
      journal.surprises.push(`${operation.path}: ${status} ${JSON.stringify(body)}`)
      return null
    }
    const quote = quoteOf(operation.type, body)
    journal.quoted(quote.userOperationHash, {
      ...operation,
      payments: paymentsOf(operation, quote),
      wallet: wallet.address
    })
    return quote
  }

  async #execute(wallet: Wallet, quote: SignableQuote): Promise<void> {
    const { journal, onMoment, random } = this.#options
    const { signData, userOperationHash: hash } = quote
    const body = { userOperationHash: hash, ...(await signOperations(wallet.privateKey, signData)) }
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const wasUnknown = journal.executes.get(hash) === "UNKNOWN"
      journal.sending(hash)
      onMoment("execute")
      const serviceResponse = await this.#options.service.ask("/api/v1/crypto/execute-user-op", body)
      if (serviceResponse === null) {
        if (random.fraction() < ABANDON_PROBABILITY) return
        continue
      }
      if (serviceResponse.status === 200) {
        journal.promised(hash, serviceResponse.body.transactionId)
        onMoment("executed")
        return
      }
      if (serviceResponse.status < 500) return journal.refused(hash, JSON.stringify(serviceResponse.body), wasUnknown)
    }
    throw new Error(`execute: no answer after ${MAX_ATTEMPTS} attempts`)
  }

  /**
   * Waits until the wallet's first operation has ended. True if it completed. False if it failed, if the history does
   * not contain it, or after `MAX_ATTEMPTS` attempts.
   */
  async #isDeployedSoon({ address }: Wallet): Promise<boolean> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const serviceResponse = await this.#options.service.ask(`/api/v1/wallets/${address}/history`)
      const [transaction] =
        serviceResponse?.status === 200 ? serviceResponse.body.transactions : [{ status: "PROCESSING" }]
      if (transaction?.status !== "PROCESSING") return transaction?.status === "COMPLETED"
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return false
  }
}
