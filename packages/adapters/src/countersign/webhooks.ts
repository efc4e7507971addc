import { endpoints, type TextInput } from "../endpoints/index.ts"
import type { WebhookCreateBody } from "../wire/index.ts"
import type { CallEndpoint } from "./requests.ts"

/** Endpoints that are told of a project's events, and what was sent to them. Workers of the library deliver. */
export const webhooksOf = (call: CallEndpoint) => {
  const create = call(endpoints.webhookCreate)
  const list = call(endpoints.webhookList)
  const show = call(endpoints.webhookShow)
  const remove = call(endpoints.webhookRemove)
  const enable = call(endpoints.webhookEnable)
  const rotate = call(endpoints.webhookRotate)
  const test = call(endpoints.webhookTest)
  const deliveries = call(endpoints.webhookDeliveries)
  const redeliver = call(endpoints.webhookRedeliver)
  return {
    /** Adds an endpoint, and answers its secret this once. As `POST /api/v1/webhooks`. */
    create: (body: typeof WebhookCreateBody.Encoded) => create({ payload: body }),
    /** As `GET /api/v1/webhooks`. */
    list: () => list({}),
    /** As `GET /api/v1/webhooks/:id`. */
    show: (id: string) => show({ params: { id } }),
    /** Deletes an endpoint with its deliveries. As `DELETE /api/v1/webhooks/:id`. */
    remove: (id: string) => remove({ params: { id } }),
    /** Enables an endpoint that was disabled. As `POST /api/v1/webhooks/:id/enable`. */
    enable: (id: string) => enable({ params: { id } }),
    /** Replaces the secret, and answers the new one this once. As `POST /api/v1/webhooks/:id/rotate`. */
    rotate: (id: string, query: TextInput<NonNullable<typeof endpoints.webhookRotate.query>> = {}) =>
      rotate({ params: { id }, query }),
    /** Sends a `webhook.test` event. As `POST /api/v1/webhooks/:id/test`. */
    test: (id: string) => test({ params: { id } }),
    /** The deliveries, newest first. As `GET /api/v1/webhooks/:id/deliveries`. */
    deliveries: (id: string, query: TextInput<NonNullable<typeof endpoints.webhookDeliveries.query>> = {}) =>
      deliveries({ params: { id }, query }),
    /** Sends an event again. As `POST /api/v1/webhooks/:id/deliveries/:deliveryId/redeliver`. */
    redeliver: (id: string, deliveryId: string) => redeliver({ params: { id, deliveryId } })
  }
}
