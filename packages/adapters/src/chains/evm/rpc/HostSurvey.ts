import type { ChainHead } from "./ChainHead.ts"
import type { RpcHost } from "./host/RpcHost.ts"
import type { RpcTime } from "./RpcTime.ts"

export interface SurveyOptions {
  /** Interval between two comparisons of the hosts in milliseconds, as long as there are requests. */
  readonly surveyMs: number
  /**
   * Milliseconds for which a call waits for the responses of all hosts, if no host is usable yet. Afterwards one usable
   * host is sufficient.
   */
  readonly slowHostWaitMs: number
  readonly time: RpcTime
}

/** Finds the usable hosts of a chain, and compares their latest blocks. */
export class HostSurvey {
  readonly #hosts: ReadonlyArray<RpcHost>
  readonly #head: ChainHead
  readonly #options: SurveyOptions
  #startedAt = Number.NEGATIVE_INFINITY

  constructor(hosts: ReadonlyArray<RpcHost>, head: ChainHead, options: SurveyOptions) {
    this.#hosts = hosts
    this.#head = head
    this.#options = options
  }

  /** Starts a survey if one is due. Waits for it only if no host is usable. */
  async refresh(): Promise<void> {
    const { slowHostWaitMs, time } = this.#options
    if (!this.#isDue) return
    const survey = this.#run()
    if (this.#hasUsableHost) return
    await Promise.race([survey, time.sleep(slowHostWaitMs)])
    if (!this.#hasUsableHost) await survey
  }

  get #isDue(): boolean {
    const { surveyMs, time } = this.#options
    const isOld = this.#hosts.length > 1 && time.now() - this.#startedAt >= surveyMs
    return isOld || this.#hosts.some((host) => host.needsCheck)
  }

  get #hasUsableHost(): boolean {
    return this.#hosts.some((host) => host.isUsable)
  }

  async #run(): Promise<void> {
    this.#startedAt = this.#options.time.now()
    const checkedHosts = this.#hosts.filter((host) => host.isUsable || host.needsCheck)
    await Promise.all(checkedHosts.map((host) => host.check()))
    this.#head.finishSurvey(this.#hosts.filter((host) => host.isUsable))
  }
}
