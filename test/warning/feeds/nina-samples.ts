/** Made in the shapes of the German warning service. */

/** A row of a list. */
export const ninaRow = (id: string, change: object = {}) => ({
  id,
  version: 1,
  startDate: '2026-08-11T08:30:54+02:00',
  severity: 'Severe',
  urgency: 'Immediate',
  type: 'Alert',
  i18nTitle: { de: 'Waldbrand' },
  ...change
})

/** A warning, as the file of its id has it. */
export const ninaWarning = (id: string, change: Record<string, unknown> = {}) => ({
  identifier: id,
  sender: 'DE-HE-MKK-W220',
  sent: '2026-08-11T08:30:54+02:00',
  status: 'Actual',
  msgType: 'Alert',
  scope: 'Public',
  info: [
    {
      language: 'de-DE',
      category: ['Safety'],
      event: 'Gefahreninformation',
      urgency: 'Immediate',
      severity: 'Severe',
      certainty: 'Observed',
      headline: 'Waldbrand bei Altdorf',
      description: 'Bei Altdorf brennt der Wald. Der Rauch zieht nach Osten.',
      instruction: 'Schließen Sie Fenster und Türen.',
      eventCode: [{ valueName: 'profile:DE-BBK-EVENTCODE:01.00', value: 'BBK-EVC-077' }],
      area: [{ areaDesc: 'Gemeinde/Stadt: Altdorf', geocode: [{ valueName: 'AreaId', value: '7' }] }]
    }
  ],
  ...change
})

/** The outline beside a warning, near Altdorf. */
export const ninaOutline = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      id: '7',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [9, 50],
            [9.2, 50],
            [9.2, 50.2],
            [9, 50.2],
            [9, 50]
          ]
        ]
      }
    }
  ]
}
