import { type ProviderCustomer, ProviderCustomers } from "@countersign/core/fiat"
import type { IndividualId } from "@countersign/core/identity"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { Effect, Layer, Option } from "effect"
import { Db } from "./Db.ts"
import { commitIfTrue } from "./transactions.ts"

export const layer = Layer.effect(
  ProviderCustomers,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db
    const keyOf = (projectId: ProjectId, id: IndividualId) => ({ project_id: projectId, individual_id: id })

    const remove = (projectId: ProjectId, id: IndividualId, provider: string) =>
      db.run(query.deleteFrom("provider_customers").where(({ and }) => and({ ...keyOf(projectId, id), provider })))

    const find = (projectId: ProjectId, id: IndividualId, provider: string) =>
      Effect.map(
        db.first(
          query
            .selectFrom("provider_customers")
            .select("customer")
            .where(({ and }) => and({ ...keyOf(projectId, id), provider }))
        ),
        Option.match({ onNone: () => null, onSome: ({ customer }) => customer })
      )

    const insertIfFree = (projectId: ProjectId, id: IndividualId, providerCustomer: ProviderCustomer) =>
      db.run(
        query
          .insertInto("provider_customers")
          .values({ ...keyOf(projectId, id), ...providerCustomer })
          .onConflict((conflict) => conflict.doNothing())
      )

    return ProviderCustomers.of({
      link: (projectId, id, providerCustomer) =>
        commitIfTrue(
          db,
          Effect.gen(function* () {
            yield* remove(projectId, id, providerCustomer.provider)
            return (yield* insertIfFree(projectId, id, providerCustomer)) === 1
          })
        ),
      linkIfNone: (projectId, id, providerCustomer) =>
        Effect.andThen(insertIfFree(projectId, id, providerCustomer), find(projectId, id, providerCustomer.provider)),
      unlink: (projectId, id, provider) =>
        Effect.map(remove(projectId, id, provider), (removedCount) => removedCount === 1),
      find,
      list: (projectId, id) =>
        db.all(
          query
            .selectFrom("provider_customers")
            .select(["provider", "customer"])
            .where(({ and }) => and(keyOf(projectId, id)))
            .orderBy("provider")
        ),
      erase: (projectId, id) =>
        Effect.asVoid(db.run(query.deleteFrom("provider_customers").where(({ and }) => and(keyOf(projectId, id)))))
    })
  })
)
