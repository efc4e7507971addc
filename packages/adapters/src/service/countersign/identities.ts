import { CustomerId, CustomerLinks } from "@countersign/core/fiat"
import { IndividualId } from "@countersign/core/identity"
import { type ProjectId, Projects } from "@countersign/core/tenancy/projects"
import { Effect, Schema } from "effect"
import { decoderOf, jsonOf } from "../../api/endpoints/index.ts"
import type { Run } from "./session.ts"

const Individual = Schema.Struct({ individualId: IndividualId })
const AtProvider = Schema.Struct({ ...Individual.fields, provider: Schema.String })
const Link = Schema.Struct({ ...AtProvider.fields, customer: CustomerId })

const individual = decoderOf(Individual)
const decodeAtProvider = decoderOf(AtProvider)
const decodeLink = decoderOf(Link)

const customersJson = jsonOf(Schema.Array(Schema.Struct({ provider: Schema.String, customer: Schema.String })))

/** Calls with which an operator links individuals to customers of fiat providers. The API does not have these calls. */
export const identitiesOf = (run: Run, project: ProjectId) => {
  const links = Effect.andThen(
    Projects.use((projects) => projects.get(project)),
    CustomerLinks
  )
  const linkedCustomers = Effect.fnUntraced(function* (id: IndividualId) {
    return yield* customersJson(yield* (yield* CustomerLinks).list(project, id))
  })
  return {
    /**
     * Links an individual to a provider's customer, and replaces an earlier link. Returns all links of the individual.
     */
    link: (body: typeof Link.Encoded) =>
      run(
        Effect.gen(function* () {
          const { customer, individualId, provider } = yield* decodeLink(body)
          yield* (yield* links).link(project, individualId, { provider, customer })
          return yield* linkedCustomers(individualId)
        })
      ),
    /** Removes the link, if there is one. Returns the remaining links. */
    unlink: (body: typeof AtProvider.Encoded) =>
      run(
        Effect.gen(function* () {
          const { individualId, provider } = yield* decodeAtProvider(body)
          yield* (yield* links).unlink(project, individualId, provider)
          return yield* linkedCustomers(individualId)
        })
      ),
    /** Returns the customers that an individual is linked to. */
    customers: (individualId: string) =>
      run(
        Effect.gen(function* () {
          const { individualId: id } = yield* individual({ individualId })
          yield* links
          return yield* linkedCustomers(id)
        })
      )
  }
}
