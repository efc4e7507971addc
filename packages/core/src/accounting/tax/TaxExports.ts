import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { BadRequest, requireValid, UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { Entropy, type WalletAddress } from "../../foundation/primitives/index.ts"
import type { TokenCatalog } from "../../foundation/tokens/index.ts"
import { Mailer } from "../../tenancy/mail/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { type WalletNotRegistered, type WalletStore, Wallets } from "../../wallets/registry/index.ts"
import type { HistoryStore } from "../history/index.ts"
import type { PastPrices } from "../market-data/index.ts"
import { dataSetOf } from "./dataSetOf.ts"
import { TaxScheduleExists, TaxScheduleNotFound, TaxSchedulingFailed, TimezoneInvalid } from "./errors.ts"
import { layoutsOf, type TaxFile, type TaxLayout, taxFiles } from "./layouts/taxFiles.ts"
import { nextMonthStart, periodOf, zoneOrNone } from "./Period.ts"
import type { TaxDataSet } from "./TaxDataSet.ts"
import { NewTaxSchedule, TaxExportRequest } from "./TaxRequests.ts"
import { TaxRunStore } from "./TaxRunStore.ts"
import type { TaxRun, TaxSchedule } from "./TaxSchedule.ts"
import { TaxScheduleStore } from "./TaxScheduleStore.ts"
import { taxMail } from "./taxMail.ts"

/** A schedule and its latest run, if there is one. */
export interface ScheduleView {
  readonly schedule: TaxSchedule
  readonly lastRun: TaxRun | null
}

export interface TaxExport {
  readonly dataSet: TaxDataSet
  readonly files: ReadonlyArray<TaxFile>
  /** Whether the month is over. If not, the export contains the movements until now. */
  readonly isComplete: boolean
  readonly isMailed: boolean
}

const requireNewTaxSchedule = requireValid(NewTaxSchedule)
const requireTaxExportRequest = requireValid(TaxExportRequest)

/**
 * Returns the requested layouts, or all layouts that apply to the month. Fails if a requested layout does not apply.
 */
const requireLayouts = ({ layouts, month }: TaxExportRequest): Effect.Effect<ReadonlyArray<TaxLayout>, BadRequest> => {
  const applicableLayouts = layoutsOf(month)
  if (layouts === null) return Effect.succeed(applicableLayouts)
  return layouts.every((layout) => applicableLayouts.includes(layout))
    ? Effect.succeed(layouts)
    : Effect.fail(
        BadRequest.of(
          "month",
          "layout_not_applicable",
          "IN RFB 1888 applies to operations from August 2019 to June 2026. Since July 2026, IN RFB 2291/2025 (DeCripto) applies, whose layout this service does not support yet. Omit in1888, and use full or koinly."
        )
      )
}

const requireZone = (timezone: string) =>
  Option.isSome(zoneOrNone(timezone)) ? Effect.void : Effect.fail(new TimezoneInvalid({ timezone }))

/** Exports a wallet's movements of a month for the owner's tax return. */
export class TaxExports extends Context.Service<
  TaxExports,
  {
    /** Schedules an email with an export after the end of each month, starting with the current month. */
    readonly schedule: (
      projectId: ProjectId,
      walletAddress: WalletAddress,
      request: NewTaxSchedule
    ) => Effect.Effect<
      TaxSchedule,
      BadRequest | TimezoneInvalid | WalletNotRegistered | TaxScheduleExists | TaxSchedulingFailed
    >
    readonly list: (
      projectId: ProjectId,
      walletAddress: WalletAddress
    ) => Effect.Effect<ReadonlyArray<ScheduleView>, WalletNotRegistered>
    /** Removes a wallet's schedule. Pending emails are not sent. */
    readonly remove: (
      projectId: ProjectId,
      walletAddress: WalletAddress
    ) => Effect.Effect<void, WalletNotRegistered | TaxScheduleNotFound>
    /** Creates the export of a month. Also sends it by email if an address is given. */
    readonly export: (
      projectId: ProjectId,
      walletAddress: WalletAddress,
      request: TaxExportRequest
    ) => Effect.Effect<TaxExport, BadRequest | TimezoneInvalid | WalletNotRegistered | UpstreamUnavailable>
  }
>()("@countersign/core/tax/TaxExports") {
  static readonly layer = Layer.effect(
    TaxExports,
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const schedules = yield* TaxScheduleStore
      const runs = yield* TaxRunStore
      const mailer = yield* Mailer
      const entropy = yield* Entropy
      const context = yield* Effect.context<HistoryStore | PastPrices | TokenCatalog | WalletStore>()

      const createId = (prefix: string) => Effect.map(entropy.uuid, (uuid) => `${prefix}_${uuid.replaceAll("-", "")}`)

      const mail = Effect.fnUntraced(function* (
        dataSet: TaxDataSet,
        email: string,
        { emailCustomization: customization }: TaxExportRequest
      ) {
        if (mailer.problem !== null) return yield* BadRequest.of("email", "not_served", `${mailer.problem}.`)
        const [key, at] = [yield* createId("tax"), yield* DateTime.now]
        yield* mailer
          .send(taxMail(dataSet, { key, at, to: Redacted.make(email), customization }))
          .pipe(
            Effect.catchTag("MailNotSent", ({ isPermanent, reason }) =>
              Effect.fail(
                isPermanent
                  ? BadRequest.of("email", "refused", `The mail server rejected the email: ${reason}.`)
                  : new UpstreamUnavailable({ upstream: "Mail server", reason })
              )
            )
          )
      })

      return TaxExports.of({
        schedule: Effect.fn("TaxExports.schedule")(function* (projectId, walletAddress, input) {
          const request = yield* requireNewTaxSchedule(input)
          const { email, recurrencePreset, timezone } = request
          yield* requireZone(timezone)
          yield* wallets.require(projectId, walletAddress)
          if (mailer.problem !== null) return yield* new TaxSchedulingFailed({ reason: mailer.problem })
          const now = yield* DateTime.now
          const schedule: TaxSchedule = {
            ...request,
            id: yield* createId("tsc"),
            projectId,
            walletAddress,
            email: Redacted.make(email),
            createdAt: now,
            nextEndAt: nextMonthStart(timezone, now)
          }
          if (!(yield* schedules.insert(schedule))) {
            return yield* new TaxScheduleExists({ walletAddress, recurrencePreset })
          }
          return schedule
        }),
        list: Effect.fn("TaxExports.list")(function* (projectId, walletAddress) {
          yield* wallets.require(projectId, walletAddress)
          return yield* Effect.forEach(yield* schedules.list(projectId, walletAddress), (schedule) =>
            Effect.map(runs.list(projectId, schedule.id, 1), ([lastRun = null]) => ({ schedule, lastRun }))
          )
        }),
        remove: Effect.fn("TaxExports.remove")(function* (projectId, walletAddress) {
          yield* wallets.require(projectId, walletAddress)
          if (!(yield* schedules.remove(projectId, walletAddress))) {
            return yield* new TaxScheduleNotFound({ walletAddress })
          }
        }),
        export: Effect.fn("TaxExports.export")(function* (projectId, walletAddress, input) {
          const request = yield* requireTaxExportRequest(input)
          yield* requireZone(request.timezone)
          yield* wallets.require(projectId, walletAddress)
          const layouts = yield* requireLayouts(request)
          const period = periodOf(request.month, request.timezone)
          const now = yield* DateTime.now
          if (DateTime.isGreaterThan(period.from, now)) {
            return yield* BadRequest.of("month", "not_begun", "This month has not begun yet.")
          }
          const dataSet = yield* Effect.provide(dataSetOf(projectId, walletAddress, period), context)
          if (request.email !== null) yield* mail(dataSet, request.email, request)
          return {
            dataSet,
            files: taxFiles(dataSet, layouts),
            isComplete: DateTime.isLessThanOrEqualTo(period.to, now),
            isMailed: request.email !== null
          }
        })
      })
    })
  )
}
